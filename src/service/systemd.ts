import { spawn } from "node:child_process";

/**
 * Returns the function that reports a state of the service to systemd, where it was started with `Type=notify`, and does
 * nothing elsewhere. From its start on systemd hears from the service three times in each `WatchdogSec`.
 */
export function systemdNotifier(): (state: "READY=1" | "STOPPING=1") => void {
  const { NOTIFY_SOCKET, PATH, WATCHDOG_USEC = "0" } = process.env;
  if (NOTIFY_SOCKET === undefined) return () => {};
  // It passes on states, one a line: one shell for all, so that a busy service starts no process each time.
  const script = 'while read -r state; do systemd-notify "$state"; done';
  const shell = spawn("/bin/sh", ["-c", script], {
    env: { NOTIFY_SOCKET, ...(PATH === undefined ? {} : { PATH }) },
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without the tool systemd ends the start after its time; the service has nothing to add.
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  shell.unref();
  const notify = (state: string) => void shell.stdin.write(`${state}\n`);
  const everyMs = Number(WATCHDOG_USEC) / 1_000 / 3;
  if (everyMs > 0) setInterval(() => notify("WATCHDOG=1"), everyMs).unref();
  return notify;
}
