import { exitCodes } from "../src/cli/exit-codes.ts";
import {
  bankTexts,
  batchTexts,
  checkTexts,
  poolTexts,
  referenceTexts,
  serviceTexts,
} from "../src/console/words.ts";
import { messages } from "../src/contract/messages/messages.ts";
import { reasons } from "../src/contract/status.ts";
import { metricsTable } from "../src/service/metrics-table.ts";
import { settingsTable } from "../src/settings-table.ts";
import { publishedDocument } from "./contract/openapi/published.ts";

const tables: Readonly<Record<string, unknown>> = {
  messages,
  reasons,
  settingsTable,
  metricsTable,
  exitCodes,
  openApi: publishedDocument(),
  console: [checkTexts, batchTexts, bankTexts, poolTexts, serviceTexts, referenceTexts],
};

/** An English text that users see, with its place in its table. */
export interface UserText {
  readonly place: string;
  readonly text: string;
}

function textsIn(value: unknown, place: string): UserText[] {
  if (typeof value === "string") return place.endsWith(".de") ? [] : [{ place, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${place}.${name}`));
}

/** The English texts that users see, by table. */
export const userTexts = Object.entries(tables).map(([name, table]) => ({
  name,
  texts: textsIn(table, name),
}));
