import { createRequire } from "node:module";

const packageFile: unknown = createRequire(import.meta.url)("#package.json");

/** The product's version, as `package.json` states it. */
export const productVersion: string = (packageFile as { readonly version: string }).version;
