import { after, before } from "node:test";

/**
 * What is started before the tests of the file that calls this, and stopped after them; it has no members until then. Functions
 * that call it have names that begin with `use`, by which `run.js` knows files with hooks.
 */
export function useStarted<T extends object>(start: () => Promise<T>, stop: (started: T) => unknown): T {
  const started = {} as T;
  before(async () => {
    Object.defineProperties(started, Object.getOwnPropertyDescriptors(await start()));
  });
  after(() => stop(started));
  return started;
}
