import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import type { MetricsAnswer } from "../contract/api-types.ts";

const msPerTick = 10;

/**
 * Reads the processor time of the machine since its start, for anybody; takes 0.1 ms for a few processors.
 *
 * Source: proc(5), `/proc/stat` and `/proc/self/status`; where there is no `/proc`, what Node says.
 */
export function machineTime(
  stat = readProc("stat"),
  status = readProc("self/status"),
): MetricsAnswer["machine"] {
  const allowed = allowedProcessors(status);
  const times = allowed.map((processor) => {
    const line = new RegExp(`^cpu${processor} (.*)$`, "m").exec(stat)?.[1] ?? "";
    // The time of guests, in two further columns, is in `user` and `nice` already.
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(" ").map(Number);
    return { busy: user + nice + system + irq + softirq, steal };
  });
  if (times.length === 0) {
    const all = cpus();
    const busy = all.reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
    return { cores: all.length, busy_ms: busy, stolen_ms: 0 };
  }
  const sum = (of: "busy" | "steal") => times.reduce((all, time) => all + time[of], 0) * msPerTick;
  return { cores: times.length, busy_ms: sum("busy"), stolen_ms: sum("steal") };
}

function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** Numbers of the processors in a status of `/proc`, where they are a list of numbers and ranges: `0-3,6`. */
function allowedProcessors(status: string): readonly number[] {
  const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(status)?.[1];
  if (list === undefined) return [];
  return list.split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
