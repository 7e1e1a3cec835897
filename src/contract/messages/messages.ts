import { answerMessages } from "./answers.ts";
import { checkMessages } from "./check-messages.ts";
import { errorMessages } from "./errors.ts";
import { streamMessages } from "./streams.ts";

/** Every sentence in an answer of the service, by id. */
export const messages = { ...checkMessages, ...answerMessages, ...errorMessages, ...streamMessages } as const;
