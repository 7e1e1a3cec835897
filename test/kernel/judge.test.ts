import assert from "node:assert/strict";
import { test } from "node:test";
import { buildDirectory } from "../../src/banks/directory/build.ts";
import { plain } from "../../src/checks/answer.ts";
import { checkIban } from "../../src/checks/iban-check.ts";
import {
  VERDICT_BANK,
  VERDICT_BLANK,
  VERDICT_BYTES,
  VERDICT_END,
  VERDICT_FINDING,
  VERDICT_NOT_UNDERSTOOD,
  VERDICT_OUTCOMES,
  VERDICT_UNKNOWN_BANK,
  VERDICT_WARNING_SHIFT,
} from "../../src/kernel/table-layout.ts";
import { outcomeNames, warnings } from "../../src/kernel/piece-table.ts";
import { germanBank, italianBank, someEdition } from "../banks/records.ts";
import { everyOutcome } from "./every-outcome.ts";
import { KernelMemory } from "./kernel-memory.ts";
