import { loadBinding } from "../http/binding.ts";
import { StartError } from "../settings.ts";

// Before the build of `npm start`: says at once that no binary of uWebSockets.js fits this Node and C library.

try {
  loadBinding(process.env["UWS_BINDING"] ?? "");
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
