import { writeFileSync } from "node:fs";
import { startCompiledService, testKey } from "./test/service.ts";
import { openPage, giveKey } from "./test/console/browser.ts";
const kind = process.argv[2] ?? "iban";
const rows = Number(process.argv[3] ?? 200000);
const isProfile = process.argv[4] === "profile";
const s = await startCompiledService({ POOL_SIZE: "2" });
const { page, close } = await openPage();
await page.goto(`${s.url}/service/console#batch`);
await giveKey(page, testKey);
await page.waitForSelector("#batch-source");
const { RandomIbans } = await import("./test/kernel/random-ibans.ts");
const { BankDirectory } = await import("./src/banks/directory/directory.ts");
const { loadShippedDirectory } = await import("./src/banks/editions/load.ts");
const { dataFolder } = await import("./test/banks/shipped.ts");
const ibans = new RandomIbans(new BankDirectory(await loadShippedDirectory(dataFolder)), 8);
const { readFileSync: rf } = await import("node:fs");
const sample = rf("data/sample-customers.csv", "utf8").trim().split(/\r?\n/).slice(1).map((l) => /[A-Z]{2}\d\d[A-Z0-9]{11,}/.exec(l)?.[0] ?? "none");
let lines: string[];
const names = ["Müller GmbH", "Schmidt", "Anna Weiß", "Stadtwerke", "Jens O'Neil"];
if (kind === "accounts") lines = Array.from({ length: rows }, (_, r) => `K${r};${names[r % 5]};${532013000 + r};37040044`);
else lines = Array.from({ length: rows }, (_, r) => { const i = kind === "sample" || kind === "pairs" ? sample[r % sample.length] : ibans.next(); return `K${r};${kind === "quotes" ? `"Müller; Söhne"` : names[r % 5]};${i}` + (kind === "pairs" ? ";COBADEFFXXX" : ""); });
const head = kind === "accounts" ? "number;name;konto;blz" : kind === "pairs" ? "number;name;iban;bic" : "number;name;iban";
const file = "/tmp/perf/rows.csv"; writeFileSync(file, `${head}\r\n${lines.join("\r\n")}\r\n`);
const { readdirSync, readFileSync } = await import("node:fs");
const cpu = () => { const out: Record<string, number> = {}; for (const pid of readdirSync("/proc").filter((n) => /^\d+$/.test(n))) { try { const cmd = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "); const st = readFileSync(`/proc/${pid}/stat`, "utf8"); const f = st.slice(st.lastIndexOf(")") + 2).split(" "); const t = (Number(f[11]) + Number(f[12])) / 100; const name = cmd.includes("--type=renderer") ? "renderer" : cmd.includes("network.mojom") ? "network" : cmd.includes("gpu-process") ? "gpu" : cmd.includes("/chromium") ? "browser" : Number(pid) === s.child.pid ? "service" : Number(pid) === process.pid ? "me" : ""; if (name) out[name] = (out[name] ?? 0) + t; } catch {} } return out; };
const diff = (x: any, y: any) => Object.fromEntries(Object.keys(y).map((k) => [k, Number((y[k] - (x[k] ?? 0)).toFixed(2))]));
const cdp = await page.context().newCDPSession(page);
await cdp.send("Performance.enable");
const metrics = async () => Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map(({ name, value }: any) => [name, value]));
await page.evaluate(`window.long=[]; new PerformanceObserver((l)=>{for(const e of l.getEntries()) window.long.push([Math.round(e.startTime),Math.round(e.duration)])}).observe({type:"longtask",buffered:true}); undefined`);
const a = await metrics();
const t0 = Date.now();
await page.setInputFiles("#file", file);
await page.waitForSelector("#batch-work:not([hidden])");
const t1 = Date.now();
const b = await metrics();
const isTrace = process.argv[4] === "trace"; const events: any[] = [];
if (isTrace) { cdp.on("Tracing.dataCollected" as any, ({ value }: any) => events.push(...value)); await cdp.send("Tracing.start", { categories: "devtools.timeline,toplevel,v8,blink,loading,ipc,mojom,disabled-by-default-v8.gc" } as any); }
const cpuBefore = cpu();
if (isProfile) { await cdp.send("Profiler.enable"); await cdp.send("Profiler.start"); }
await page.evaluate(`window.began=performance.now(); window.ended=0; const b=document.querySelector("#batch-work .actions button:first-child"); new MutationObserver(()=>{ if(b.hidden&&!window.ended) window.ended=performance.now()}).observe(b,{attributes:true}); b.click(); undefined`);
await page.waitForSelector("#batch-work .actions button:first-child", { state: "hidden", timeout: 120000 });
const cpuAfter = cpu(); await new Promise((r) => setTimeout(r, 200));
const ms = Number(await page.evaluate("window.ended-window.began"));
if (isTrace) { const done = new Promise((r) => cdp.once("Tracing.tracingComplete" as any, r)); await cdp.send("Tracing.end"); await done;
  const main = events.find((e) => e.name === "thread_name" && e.args.name === "CrRendererMain" && events.some((o) => o.name === "FunctionCall" && o.tid === e.tid && o.pid === e.pid));
  const own = events.filter((e) => e.ph === "X" && e.tid === main.tid && e.pid === main.pid).sort((x, y) => x.ts - y.ts || y.dur - x.dur);
  const self = new Map<string, [number, number]>(); const stack: any[] = [];
  const add = (e: any) => { const k = e.name + (e.args?.chrome_task_annotator?.posted_from?.function_name ?? e.args?.src_func ?? "") + (e.args?.data?.functionName ?? ""); const v = self.get(k) ?? [0, 0]; v[0] += (e.tdur ?? e.dur) - e.inner; v[1]++; self.set(k, v); };
  for (const e of own) { e.inner = 0; while (stack.length && stack.at(-1).ts + stack.at(-1).dur <= e.ts) add(stack.pop()); if (stack.length) stack.at(-1).inner += e.tdur ?? e.dur; stack.push(e); }
  while (stack.length) add(stack.pop());
  for (const [k, [v, n]] of [...self].sort((x, y) => y[1][0] - x[1][0]).slice(0, 40)) console.log((v / 1000).toFixed(0).padStart(6), String(n).padStart(6), k);
}
if (isProfile) {
  const { profile } = await cdp.send("Profiler.stop") as any;
  writeFileSync("/tmp/perf/prof.cpuprofile", JSON.stringify(profile));
  const self = new Map<string, number>(); const byId = new Map(profile.nodes.map((n: any) => [n.id, n]));
  profile.samples.forEach((id: number, i: number) => { const n: any = byId.get(id); const k = `${n.callFrame.functionName || "(anon)"}:${n.callFrame.lineNumber}:${n.callFrame.columnNumber}`; self.set(k, (self.get(k) ?? 0) + profile.timeDeltas[i]); });
  for (const [k, v] of [...self].sort((x, y) => y[1] - x[1]).slice(0, 25)) console.log((v / 1000).toFixed(0).padStart(6), k);
}
const c = await metrics();
console.log(kind, "read ms", t1 - t0, "read task", (b.TaskDuration - a.TaskDuration).toFixed(2), "run ms", Math.round(ms), "rows/s", Math.round(rows / ms * 1000), "task s", (c.TaskDuration - b.TaskDuration).toFixed(2), "script s", (c.ScriptDuration - b.ScriptDuration).toFixed(2), "rows per task second", Math.round(rows / (c.TaskDuration - b.TaskDuration)), "long", JSON.stringify(await page.evaluate("window.long")));
console.log(JSON.stringify(diff(cpuBefore, cpuAfter)));
console.log(await page.textContent(".figures"), await page.textContent("#batch-work .actions"));
await close(); await s.stop();
