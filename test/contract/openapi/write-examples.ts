import { writeFileSync } from "node:fs";
import { requestExamples } from "../../../src/contract/openapi/request-examples.ts";
import { startCompiledService } from "../../service.ts";
import { answerOf } from "./example-requests.ts";

const file = new URL("../../../src/contract/openapi/answer-examples.json", import.meta.url);
const service = await startCompiledService();
const answers: [string, unknown][] = [];
for (const example of requestExamples) answers.push([example.name, await answerOf(service, example)]);
await service.stop();
writeFileSync(file, `${JSON.stringify(Object.fromEntries(answers), null, 2)}\n`);
