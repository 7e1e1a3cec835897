/** Bytes of the constant answer: those of a batch of 500. */
export const constantAnswerBytes = 125_000;

/** Reports to the bench on which port a baseline listens. */
export function announce(port: number): void {
  process.stdout.write(`"address":"http://127.0.0.1:${port}"\n`);
}
