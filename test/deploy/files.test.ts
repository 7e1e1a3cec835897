import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { routes } from "../../src/contract/routes.ts";
import { memoryBudget } from "../../src/http/memory-budget.ts";
import { openAdmission } from "../../src/pool/admission.ts";
import { roomsPerWorker } from "../../src/pool/check-pool.ts";
import { slotBytes } from "../../src/pool/slots.ts";
import { readSettings, variableOf } from "../../src/settings.ts";
import { settingsTable } from "../../src/settings-table.ts";
import { pluck } from "../support/pluck.ts";

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const read = (name: string) => readFileSync(pathOf(`.deploy/${name}`), "utf8");
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

/** A document of the Kubernetes file, as far as it is looked at here. */
interface KubernetesDocument {
  kind: string;
  metadata: { name: string };
  spec: {
    template?: {
      metadata: { labels: Record<string, string> };
      spec: {
        automountServiceAccountToken: boolean;
        securityContext: { runAsNonRoot: boolean };
        containers: {
          name: string;
          env?: { name: string; value: string }[];
          ports: { name: string; containerPort: number }[];
          securityContext: unknown;
        }[];
      };
    };
    selector?: unknown;
    ports?: { port: number; targetPort: string }[];
    podSelector?: { matchLabels: unknown };
    ingress?: { ports: { port: string }[]; from?: unknown[] }[];
  };
}

const kubernetes = documentsOf("kubernetes.yaml") as KubernetesDocument[];
const compose = documentsOf("compose.yaml");
const named = (kind: string, name: string) =>
  kubernetes.find((document) => document.kind === kind && document.metadata.name === name)!.spec;

test("the files set only settings there are", () => {
  // The first is of Node itself.
  const known = new Set(["NODE_ENV", ...Object.keys(settingsTable).map(variableOf)]);
  const namesBy = (name: string, line: RegExp) =>
    [...read(name).matchAll(line)].flatMap(([, pairs]) => pairs!.match(/(?<=^| )\w+(?==)/g)!);
  for (const [file, names] of Object.entries({
    "kubernetes.yaml": pluck(valuesOf(kubernetes, "env").flat() as { name: string }[], "name"),
    "compose.yaml": valuesOf(compose, "environment").flatMap((set) => Object.keys(set!)),
    Dockerfile: namesBy("Dockerfile", /^ENV (.*)$/gm),
    "bankcheck.service": namesBy("bankcheck.service", /^Environment=(.*)$/gm),
  })) {
    assert.ok(names.length > 0, file);
    for (const name of names) assert.ok(known.has(name), `${name} of ${file} is not a setting`);
  }
});

test("the Kubernetes file probes only routes that need no key", () => {
  const open: readonly { path: string }[] = routes.filter((route) => "open" in route && route.open);
  const probed = valuesOf(kubernetes, "httpGet") as { path: string; port: string }[];
  assert.equal(probed.length, 3);
  for (const { path, port } of probed) {
    assert.ok(pluck(open, "path").includes(path), path);
    assert.equal(port, "admin", "it answers with TLS and without");
  }
});

test("the usage store that the Kubernetes file names is in it, and only the service reaches it", () => {
  const [container] = named("Deployment", "bankcheck").template!.spec.containers;
  const { hostname, port } = new URL(container!.env!.find(({ name }) => name === "USAGE_STORE")!.value);
  const service = named("Service", hostname);
  assert.equal(service.ports![0]!.port, Number(port));
  const { template } = named("StatefulSet", hostname);
  assert.deepEqual(service.selector, template!.metadata.labels);
  const [store] = template!.spec.containers;
  assert.equal(
    store!.ports.find(({ name }) => name === service.ports![0]!.targetPort)!.containerPort,
    Number(port),
  );
  const policy = named("NetworkPolicy", hostname);
  assert.deepEqual(policy.podSelector!.matchLabels, template!.metadata.labels);
  const { labels } = named("Deployment", "bankcheck").template!.metadata;
  assert.deepEqual(policy.ingress, [
    { ports: [{ port: store!.ports[0]!.name }], from: [{ podSelector: { matchLabels: labels } }] },
  ]);
});

test("the Kubernetes file opens the admin port to one namespace, and limits the rights of each pod", () => {
  const [container] = named("Deployment", "bankcheck").template!.spec.containers;
  const adminPort = Number(container!.env!.find(({ name }) => name === "ADMIN_PORT")!.value);
  const { name: admin } = container!.ports.find(({ containerPort }) => containerPort === adminPort)!;
  const { ingress } = named("NetworkPolicy", "bankcheck");
  for (const { ports, from } of ingress!)
    assert.equal(from === undefined, !ports.some(({ port }) => port === admin));
  assert.deepEqual(
    ingress!.flatMap(({ ports }) => ports.map(({ port }) => port)).sort(),
    container!.ports.map(({ name }) => name).sort(),
  );
  for (const { spec } of kubernetes.flatMap((document) => document.spec.template ?? [])) {
    assert.equal(spec.automountServiceAccountToken, false);
    assert.equal(spec.securityContext.runAsNonRoot, true);
    for (const { name, securityContext } of spec.containers) {
      const none = { drop: ["ALL"] };
      const expected = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: none };
      assert.deepEqual(securityContext, expected, name);
    }
  }
});

test("the compose file limits the rights of each service", () => {
  const [services] = valuesOf(compose, "services") as [Record<string, object>];
  const hardened = { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] };
  for (const [name, service] of Object.entries(services))
    assert.deepEqual({ ...service, ...hardened }, service, name);
});

const systemdMissing: string | false =
  spawnSync("systemd-analyze", ["--version"]).status === 0 ? false : "systemd-analyze is not installed";
test("systemd takes the unit as it is, and exposes it less than 2 of 10", { skip: systemdMissing }, () => {
  const unit = pathOf(".deploy/bankcheck.service");
  const verified = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  // It also complains that this machine lacks the paths of the unit.
  assert.doesNotMatch(verified.stderr, /Unknown|Failed to parse|Invalid/, verified.stderr);
  const args = ["security", "--offline=true", "--threshold=20", unit];
  const { status, stdout } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

test("images and actions are pinned by digest", () => {
  const images = [
    ...[...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!),
    ...(valuesOf([compose, kubernetes], "image") as string[]),
  ].filter((image) => !image.startsWith("bankcheck:"));
  assert.ok(images.length >= 3);
  for (const image of images) assert.match(image, /^[\w/.-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  const workflow = readFileSync(pathOf(".github/workflows/ci.yml"), "utf8");
  const actions = [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action!);
  assert.ok(actions.length >= 2);
  for (const action of actions) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v[\d.]+$/);
});

test("the memory limits of the files follow the operating page's formula, which covers every buffer", () => {
  const [, fixed, perWorker] = /at most (\d+) MB \+ (\d+) MB × `POOL_SIZE`/.exec(read("README.md")) ?? [];
  const [, code, heap] = /heaps take (\d+) MB and (\d+) MB for each worker/.exec(read("README.md")) ?? [];
  const bytesPerMb = 1_048_576;
  const budget = Object.values(memoryBudget).reduce((sum, bytes) => sum + bytes, 0);
  for (const workers of [1, 2, 4, 8]) {
    const { poolSize, poolQueue } = readSettings([], { POOL_SIZE: String(workers) });
    const bounds = { running: poolSize, waiting: poolQueue, timeoutMs: 1 };
    const { ceiling, largeCeiling } = openAdmission(bounds, () => false);
    const slots = { smallSlots: ceiling, largeSlots: largeCeiling, rooms: roomsPerWorker * workers };
    const needed = Number(code) + Number(heap) * workers + (budget + slotBytes(slots)) / bytesPerMb;
    const allowed = Number(fixed) + Number(perWorker) * workers;
    assert.ok(needed <= allowed, `${workers} workers need ${Math.round(needed)} MB`);
  }
  const formula = Number(fixed) + Number(perWorker) * 2;
  const [limits] = valuesOf(kubernetes, "limits") as { memory: string }[];
  const [composed] = valuesOf(compose, "mem_limit") as string[];
  for (const limit of [limits!.memory, composed!])
    assert.ok(Number.parseInt(limit, 10) >= formula * 1.2, limit);
  assert.ok(valuesOf(compose, "POOL_SIZE").includes("2"));
  assert.match(read("kubernetes.yaml"), /POOL_SIZE, value: "2"/);
});
