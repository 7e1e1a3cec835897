import { writeFileSync } from "node:fs";
import { apiTypes } from "./api-types.ts";

writeFileSync(new URL("../../src/client/api-types.ts", import.meta.url), await apiTypes());
