import { isBuilt } from "./sources.ts";

// Before the build: ends with 0 if there is nothing to build.

process.exitCode = isBuilt() ? 0 : 1;
