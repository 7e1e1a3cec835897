import { answerMessages } from "./answers.ts";
import { checkDetailMessages } from "./check-details.ts";
import { checkResultMessages } from "./check-results.ts";
import { errorMessages } from "./errors.ts";
import { streamMessages } from "./streams.ts";

/** The sentences on checks. The console has these with it, so that it changes its language without asking again. */
export const checkMessages = { ...checkResultMessages, ...checkDetailMessages } as const;

/** Every sentence in an answer of the service, by id. */
export const messages = { ...checkMessages, ...answerMessages, ...errorMessages, ...streamMessages } as const;
