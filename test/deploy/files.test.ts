import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { routes } from "../../src/contract/routes.ts";
import { settingsTable, variableOf } from "../../src/settings.ts";
import { haproxyMissing } from "./proxies.ts";

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const read = (name: string) => readFileSync(pathOf(`.deploy/${name}`), "utf8");
const settings = new Set<string>(Object.keys(settingsTable).map(variableOf));
/** Variables that the files set besides the service's own settings. */
const foreign = new Set(["NODE_ENV"]);

function expectSettings(names: Iterable<string>): void {
  for (const name of names) assert.ok(settings.has(name) || foreign.has(name), `${name} is not a setting`);
}

/** Every value under a key of that name, however deep. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...valuesOf(inner, key),
  ]);
}

function documentsOf(name: string): unknown[] {
  return parseAllDocuments(read(name)).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as unknown;
  });
}

test("the Kubernetes file sets only settings there are, and probes only routes that need no key", () => {
  const documents = documentsOf("kubernetes.yaml");
  assert.deepEqual(valuesOf(documents, "kind").slice(0, 1), ["Deployment"]);
  expectSettings(
    valuesOf(documents, "env").flatMap((env) => (env as { name: string }[]).map(({ name }) => name)),
  );
  const probed = valuesOf(documents, "httpGet") as { path: string; port: string }[];
  assert.equal(probed.length, 3);
  for (const { path, port } of probed) {
    assert.ok(
      routes.some((route) => route.path === path && "open" in route && route.open),
      path,
    );
    assert.equal(port, "http");
  }
});

test("the compose file sets only settings there are", () => {
  const [document] = documentsOf("compose.yaml");
  const { services } = document as { services: { bankcheck: { environment: Record<string, string> } } };
  expectSettings(Object.keys(services.bankcheck.environment));
});

test("the Dockerfile sets only settings there are", () => {
  const set = [...read("Dockerfile").matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs]) => pairs!.split(" "));
  expectSettings(set.map((pair) => pair.split("=")[0]!));
});

test("the systemd unit sets only settings there are", () => {
  const text = read("bankcheck.service");
  const set = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs]) => pairs!.split(" "));
  expectSettings(set.map((pair) => pair.split("=")[0]!));
});

test("HAProxy takes its file as it is", { skip: haproxyMissing }, () => {
  const { status, stderr } = spawnSync("haproxy", ["-c", "-f", pathOf(".deploy/haproxy.cfg")], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
});

test("images and actions are pinned by digest", () => {
  const images = [
    ...[...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!),
    ...["compose.yaml", "kubernetes.yaml"].flatMap(
      (name) => valuesOf(documentsOf(name), "image") as string[],
    ),
  ].filter((image) => !image.startsWith("bankcheck:"));
  assert.equal(images.length >= 3, true);
  for (const image of images) assert.match(image, /^[\w/.-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  const workflow = readFileSync(pathOf(".github/workflows/ci.yml"), "utf8");
  const actions = [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action!);
  assert.equal(actions.length >= 2, true);
  for (const action of actions) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v[\d.]+$/);
});
