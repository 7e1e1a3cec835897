import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { loadBinding } from "../../src/http/binding.ts";
import { loadShippedDirectory } from "../../test/support/shipped-directory.ts";
import { announce } from "./shared.ts";

// The same front end and the same checks with the pool used as its manual shows it: strings in, objects out.
const native = loadBinding("");
const pool = new Piscina<readonly string[], readonly object[]>({
  filename: fileURLToPath(import.meta.resolve("./naive-worker.ts")),
  execArgv: ["--import", "tsx"],
  minThreads: Number(process.env["POOL_SIZE"] ?? 2),
  maxThreads: Number(process.env["POOL_SIZE"] ?? 2),
  workerData: await loadShippedDirectory(),
});
await pool.run([]);

native
  .App()
  .any("/*", (response) => {
    let open = true;
    const pieces: Buffer[] = [];
    response.onAborted(() => {
      open = false;
    });
    response.onData((piece, isLast) => {
      pieces.push(Buffer.from(Buffer.from(piece)));
      if (!isLast) return;
      const { ibans } = JSON.parse(Buffer.concat(pieces).toString()) as { ibans: readonly string[] };
      void pool.run(ibans).then((results) => {
        const body = JSON.stringify({
          status: 1,
          message: "checked",
          batch: { total: results.length, results },
        });
        if (open)
          response.cork(() => void response.writeHeader("Content-Type", "application/json").end(body));
      });
    });
  })
  .listen("127.0.0.1", 0, native.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
    if (socket !== false) announce(native.us_socket_local_port(socket));
  });
