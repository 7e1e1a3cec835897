import { loadBinding } from "../../src/http/binding.ts";
import { announce } from "./shared.ts";

// The upper bound of the machine and uWebSockets.js: a hello world, and a body thrown away with a constant answer of a
// batch's size. Nothing is parsed, checked or looked up.
const native = loadBinding("");
const hello = '{"status":1,"message":"Pong"}';
const answer = new Uint8Array(125_000).fill(120);

native
  .App()
  .any("/*", (response, request) => {
    if (request.getMethod() === "get") {
      response.writeHeader("Content-Type", "application/json").end(hello);
      return;
    }
    response.onAborted(() => {});
    response.onData((_, isLast) => {
      if (!isLast) return;
      response.cork(() => {
        response.writeHeader("Content-Type", "application/json").end(answer);
      });
    });
  })
  .listen("127.0.0.1", 0, native.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
    if (socket !== false) announce(`http://127.0.0.1:${native.us_socket_local_port(socket)}`);
  });
