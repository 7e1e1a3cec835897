import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Gives a text that changes whenever a file in the folder or below does; for a folder that cannot be read its error code. */
export async function folderState(folder: string): Promise<string> {
  try {
    const names = await readdir(folder, { recursive: true });
    const states = await Promise.all(names.sort().map((name) => fileState(folder, name)));
    return states.join("\n");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unreadable";
  }
}

/** Links are followed, so that one that is turned to another file counts as a change. */
async function fileState(folder: string, name: string): Promise<string> {
  try {
    const file = await stat(join(folder, name), { bigint: true });
    // What is written inside a folder shows in its files; its own times also change by what is not looked at.
    if (file.isDirectory()) return name;
    return `${name} ${file.ino} ${file.size} ${file.mtimeNs} ${file.ctimeNs}`;
  } catch (error) {
    return `${name} ${(error as NodeJS.ErrnoException).code ?? "unreadable"}`;
  }
}
