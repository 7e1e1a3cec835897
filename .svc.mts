import { startCompiledService } from "./test/service.ts";
import { readFileSync } from "node:fs";
const s = await startCompiledService({ POOL_SIZE: "2" });
const sample = readFileSync("data/sample-customers.csv", "utf8").trim().split(/\r?\n/).slice(1).map((l) => l.split(";")[3]!);
const st = () => { const f = readFileSync(`/proc/${s.child.pid}/stat`, "utf8").split(") ")[1]!.split(" "); return (Number(f[11]) + Number(f[12])) / 100; };
const variants: Record<string, string[]> = { sample, one: [sample[0]!], muenchen: [...Array(499).fill(sample[0]), "München"], ascii: [...Array(499).fill(sample[0]), "not an IBAN"], good: sample.filter((t) => /^[A-Z0-9]+$/.test(t)), low: sample.filter((t) => /^[A-Za-z0-9]+$/.test(t)),space: sample.filter((t) => /^[A-Za-z0-9 ]+$/.test(t)) };
for (const q of ["", "?reason=1"]) for (const [name, list] of Object.entries(variants)) {
  const ibans = Array.from({ length: 500 }, (_, i) => list[i % list.length]!);
  const a = st();
  for (let r = 0; r < 100; r++) await (await s.post(`/v1/iban${q}`, { ibans })).text();
  console.log(q, name, ((st() - a) / 50000 * 1e6).toFixed(2), "us per check");
}
await s.stop();
