import { register } from "tsx/esm/api";

// A worker thread does not inherit the test runner's TypeScript loader.
register();
const { default: checkMarkedSlots } = await import("./marked-worker.ts");

export default checkMarkedSlots;
