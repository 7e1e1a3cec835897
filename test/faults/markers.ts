/** IBANs that make the worker of `marked-thread.js` misbehave; without it they are of an unknown country. */
export const markers = {
  /** Stops at the gate until it is open, then checks. */
  gate: "ZZ00GATE00000000",
  /** Ends its thread in the middle of the task. */
  exit: "ZZ00EXIT00000000",
  /** Ends its thread, but only the first one that meets it since the gate was shut. */
  exitOnce: "ZZ00ONCE00000000",
  /** Throws in the middle of the task. */
  throws: "ZZ00THROW0000000",
} as const;
