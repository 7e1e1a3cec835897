/** Reports to the bench where a baseline listens. */
export function announce(address: string): void {
  process.stderr.write(`"address":"${address}"\n`);
}
