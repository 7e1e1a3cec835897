import { sharedService, testKey } from "../service.ts";
import { newFolder } from "../support/folders.ts";
import { checkHere, type EndHere, runHere } from "../support/run-here.ts";

export const commerzbank = "DE89370400440532013000";
/** The same with wrong check digits. */
export const wrong = "DE88370400440532013000";

/** What a command needs to reach the service of this process. */
export async function serviceEnvironment() {
  const { url } = await sharedService();
  return { BANKCHECK_URL: url, BANKCHECK_KEY: testKey };
}

/** Runs a command in this process with that service, and with further variables. */
export async function bankcheck(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<EndHere> {
  return runHere(args, { ...(await serviceEnvironment()), ...more });
}

const folder = newFolder();

/** Runs `check` or `generate` over an input in this process with that service. */
export const runOver = async (input: Buffer | string, ...args: readonly string[]) =>
  checkHere(folder, args, input, await serviceEnvironment());
