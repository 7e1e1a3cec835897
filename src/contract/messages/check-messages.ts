import { checkDetailMessages } from "./check-details.ts";
import { checkResultMessages } from "./check-results.ts";

/**
 * The sentences on checks. The console has these with it, so that it changes its language without asking again; all others
 * are in a module of their own, which its bundle leaves out.
 */
export const checkMessages = { ...checkResultMessages, ...checkDetailMessages } as const;
