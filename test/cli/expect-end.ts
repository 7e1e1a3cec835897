import assert from "node:assert/strict";

/** Expects the exit code of a command and what it says on standard error, and returns its end. */
export async function expectEnd<End extends { readonly exit: unknown; readonly stderr: string }>(
  run: End | Promise<End>,
  code: number,
  says: RegExp | string = "",
): Promise<End> {
  const end = await run;
  assert.equal(end.exit, code, end.stderr);
  assert.match(end.stderr, new RegExp(says));
  return end;
}
