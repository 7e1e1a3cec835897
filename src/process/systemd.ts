import { type ChildProcess, spawn } from "node:child_process";

const microsecondsPerMs = 1_000;

/** Passes states, one a line, on to systemd: one shell for all, so that a busy service starts no process each time. */
const script = 'while read -r state; do systemd-notify "$state"; done';

/** Reports the state of the service to systemd, where it was started with `Type=notify`; does nothing elsewhere. */
export class SystemdNotifier {
  readonly #shell: ChildProcess | undefined;

  constructor() {
    const { NOTIFY_SOCKET, PATH, WATCHDOG_USEC = "0" } = process.env;
    if (NOTIFY_SOCKET === undefined) return;
    const shell = spawn("/bin/sh", ["-c", script], {
      env: { NOTIFY_SOCKET, ...(PATH === undefined ? {} : { PATH }) },
      stdio: ["pipe", "ignore", "ignore"],
    });
    // Without the tool systemd ends the start after its time; the service has nothing to add.
    shell.on("error", () => {});
    shell.stdin.on("error", () => {});
    shell.unref();
    this.#shell = shell;
    const everyMs = Number(WATCHDOG_USEC) / microsecondsPerMs / 3;
    if (everyMs > 0) setInterval(() => this.#notify("WATCHDOG=1"), everyMs).unref();
  }

  /** The service answers. From its start on systemd hears from it three times in each `WatchdogSec`. */
  ready(): void {
    this.#notify("READY=1");
  }

  stopping(): void {
    this.#notify("STOPPING=1");
  }

  #notify(state: string): void {
    this.#shell?.stdin?.write(`${state}\n`);
  }
}
