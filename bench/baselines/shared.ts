export function announce(address: string): void {
  process.stderr.write(`"address":"${address}"\n`);
}
