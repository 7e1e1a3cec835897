import { StartError } from "../process/start-error.ts";

const otherFolder = "set STATE_DIR to a folder that the service may write to.";

/** What each error of the file system means for whoever set STATE_DIR. */
const reasons: Readonly<Record<string, (stateDir: string) => string>> = {
  ENOTDIR: (stateDir) => `STATE_DIR is ${stateDir}, which is not a folder; ${otherFolder}`,
  EEXIST: (stateDir) => `STATE_DIR is ${stateDir}, which is not a folder; ${otherFolder}`,
  EACCES: (stateDir) => `STATE_DIR is ${stateDir}, where this user may not read or write; ${otherFolder}`,
  EPERM: (stateDir) => `STATE_DIR is ${stateDir}, where this user may not read or write; ${otherFolder}`,
  EROFS: (stateDir) => `STATE_DIR is ${stateDir}, which is on a read-only file system; ${otherFolder}`,
  ENOSPC: (stateDir) => `STATE_DIR is ${stateDir}, whose disk is full; free some space and try again.`,
};

/** Errors that say there is no room, on the disk or in the user's share of it. */
const fullCodes = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code ?? "";

/** Whether an error of the file system says that there is no room. */
export function isDiskFull(error: unknown): boolean {
  return fullCodes.has(codeOf(error));
}

/** Returns an error of the file system as one sentence about STATE_DIR, and any other one as it is. */
export function stateFolderError(stateDir: string, error: unknown): unknown {
  const reason = reasons[isDiskFull(error) ? "ENOSPC" : codeOf(error)];
  return reason === undefined ? error : new StartError(reason(stateDir), { cause: error });
}
