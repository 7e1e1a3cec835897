import { defaultPolicy } from "../banks/lookup/account-policy.ts";
import { type AnswerExamples, requestExamples } from "../contract/openapi/examples.ts";
import { pongs } from "../http/operations/operations.ts";
import { compileKernel } from "../kernel/kernel.ts";
import { kernelTables } from "../kernel/kernel-tables.ts";
import { taskOf } from "../pool/requests.ts";
import { openTaskWorker, runTask } from "../pool/run-task.ts";
import { createSharedMemory, editionIn } from "../pool/shared-memory.ts";
import { SlotField, SlotMemory } from "../pool/slots.ts";

/** Answers the examples of the OpenAPI document, by name, from an edition of the bank data. */
export async function exampleAnswers(block: Uint8Array): Promise<AnswerExamples> {
  const shared = createSharedMemory(kernelTables(), { smallSlots: 0, largeSlots: 1, rooms: 1 });
  const edition = 1;
  editionIn(shared, edition).set(block);
  const worker = openTaskWorker(
    { shared, kernel: await compileKernel(), observeAccounts: defaultPolicy.observed },
    edition,
  );
  const slot = new SlotMemory(shared.slots).slots[0]!;
  const answers = requestExamples.map(({ name, operation, path = {}, query = {}, body }) => {
    if (operation in pongs) return [name, pongs[operation as keyof typeof pongs]];
    const task = taskOf[operation as keyof typeof taskOf]({
      parameters: Object.values(path),
      query: new URLSearchParams(query).toString(),
      body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
      language: "en",
    });
    task.fill(slot);
    runTask(slot, worker);
    if (slot.get(SlotField.isRefusal) !== 0) throw new Error(`the example ${name} is answered with an error`);
    return [name, JSON.parse(slot.answer.toString())];
  });
  return Object.fromEntries(answers);
}
