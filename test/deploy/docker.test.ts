import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startQuickService, tlsSettings } from "../service.ts";
import { makeCertificate, opensslMissing } from "../support/certificate.ts";
import { newFolder } from "../support/folders.ts";

// Runs the Dockerfile step by step in clean folders, one for each stage, since most machines cannot build images.
// Packages are linked from this repository unless DOCKER_INSTALL=1 lets npm fetch them.

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (name: string) => readFileSync(join(root, ".deploy", name), "utf8");
const folder = newFolder();

/** Each instruction with what follows it. */
const instructions = read("Dockerfile")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n\s*/g, "")
  .matchAll(/^(\w+)\s+(.*)$/gm);

/** Paths in the repository that `COPY` may use. */
const sent = new Set(read("Dockerfile.dockerignore").match(/(?<=^!).+/gm));

class Stage {
  readonly root: string;
  readonly environment: Record<string, string> = {};
  command: readonly string[] = [];
  /** The user that the state folder was made for. */
  owner = "root";
  healthCheck: readonly string[] = [];
  #workdir = "/";

  constructor(name: string) {
    this.root = join(folder, name);
    mkdirSync(this.root);
  }

  /** Where a path of the image is here. */
  place(path: string): string {
    return path.startsWith("/") ? join(this.root, path) : join(this.root, this.#workdir, path);
  }

  enter(path: string): void {
    this.#workdir = path;
    mkdirSync(this.place(path), { recursive: true });
  }

  /** Copies what may be written to here, or links (`-alT`) what a stage has that is not written to any more. */
  copy(how: "-aT" | "-alT", from: (path: string) => string, paths: readonly string[]): void {
    const target = paths.at(-1)!;
    for (const path of paths.slice(0, -1)) {
      const place = this.place(target.endsWith("/") ? join(target, basename(path)) : target);
      mkdirSync(dirname(place), { recursive: true });
      assert.equal(spawnSync("cp", [how, from(path), place]).status, 0, path);
    }
  }

  run(text: string): void {
    // The paths of the image are folders here, and its user is this one.
    this.owner = /chown (\w+):/.exec(text)?.[1] ?? this.owner;
    const script = text
      .replaceAll(/(?<=\s)\/(?=\w)/g, `${this.root}/`)
      .replaceAll(/&& chown node:node \S+/g, "");
    if (script.startsWith("npm ci") && process.env["DOCKER_INSTALL"] !== "1") {
      spawnSync("cp", ["-al", join(root, "node_modules"), this.place("node_modules")]);
      return;
    }
    if (script.startsWith("npm run build")) this.#buildQuickly();
    const { status, stderr } = spawnSync("sh", ["-ec", script], { cwd: this.place("."), encoding: "utf8" });
    assert.equal(status, 0, `RUN ${text}\n${stderr}`);
  }

  /** Neither checked types nor a fast kernel say more about the steps. */
  #buildQuickly(): void {
    for (const [file, group, options] of [
      ["tsconfig.json", "compilerOptions", { noCheck: true }],
      ["src/kernel/asconfig.json", "options", { optimizeLevel: 0 }],
    ] as const) {
      const settings = JSON.parse(readFileSync(this.place(file), "utf8")) as Record<string, object>;
      Object.assign(settings[group]!, options);
      writeFileSync(this.place(file), JSON.stringify(settings));
    }
  }

  env() {
    const { PATH = "" } = process.env;
    const { STATE_DIR = "" } = this.environment;
    return { PATH, ...this.environment, HOST: "127.0.0.1", STATE_DIR: this.place(STATE_DIR) };
  }
}

/** The form of `CMD` that needs no shell. */
function wordsOf(text: string): readonly string[] {
  return JSON.parse(text.replace(/^.*?CMD /, "")) as string[];
}

/** Follows all instructions and returns the last stage. */
function build(): Stage {
  const stages = new Map<string, Stage>();
  const last = () => [...stages.values()].at(-1)!;
  for (const [, word = "", text = ""] of instructions) {
    const current = last();
    const steps: Readonly<Record<string, () => void>> = {
      FROM: () => {
        assert.match(text, /^node:\d+-bookworm-slim@sha256:[0-9a-f]{64}( |$)/);
        const [, , name = "last"] = text.split(" ");
        stages.set(name, new Stage(name));
      },
      WORKDIR: () => current.enter(text),
      ENV: () => {
        for (const [, name, value] of text.matchAll(/(\w+)=(\S*)/g)) current.environment[name!] = value!;
      },
      COPY: () => {
        const [, from, paths = text] = /^--from=(\w+) (.*)$/.exec(text) ?? [];
        if (from === undefined) {
          for (const path of paths.split(" ").slice(0, -1)) assert.ok(sent.has(path), `${path} is ignored`);
          current.copy("-aT", (path) => join(root, path), paths.split(" "));
        } else current.copy("-alT", (path) => stages.get(from)!.place(path), paths.split(" "));
      },
      RUN: () => current.run(text),
      CMD: () => {
        current.command = wordsOf(text);
      },
      HEALTHCHECK: () => {
        assert.match(text, /^(--(interval|timeout|start-period)=\d+s )+CMD \[/);
        current.healthCheck = wordsOf(text);
      },
      USER: () => assert.equal(text, current.owner),
      EXPOSE: () => assert.equal(text, current.environment["PORT"]),
      VOLUME: () => assert.ok(existsSync(current.place(text))),
    };
    const step = steps[word];
    assert.ok(step !== undefined, `${word} is not known to this test`);
    step();
  }
  return last();
}

test("the Dockerfile's steps, run in clean folders, make a service that starts, is healthy and stops, with TLS and without", async () => {
  const image = build();
  assert.ok(!existsSync(image.place("src")));
  const command = `cd ${image.place(".")} && exec ${image.command.join(" ")}`;
  const [probe = "", ...rest] = image.healthCheck;
  const certificate = makeCertificate(newFolder(), "image");
  for (const tls of opensslMissing === false ? [tlsSettings, certificate] : [tlsSettings]) {
    const settings = { ...image.env(), PORT: "0", ...tls };
    const service = await startQuickService(settings, { by: ["sh", "-c", command] });
    const probed = (port: number) => spawnSync(probe, rest, { env: { ...settings, PORT: `${port}` } }).status;
    assert.equal(probed(service.port), 0, service.log());
    assert.notEqual(probed(1), 0);
    if (tls !== certificate) {
      const answer = await service.request("/v1/iban/DE89370400440532013000");
      assert.equal(((await answer.json()) as { status: number }).status, 1);
    }
    assert.equal(await service.stop(), 0, service.log());
  }
});
