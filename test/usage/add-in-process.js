import { lmdbStore } from "../../.dist/src/usage/lmdb-store.js";

// Adds one check at a time for a holder to the store in a folder: a separate process among several.
const [folder, writer, times, name] = process.argv.slice(2);
const store = lmdbStore(folder);
for (let sequence = 1; sequence <= Number(times); sequence++) {
  await store.add(writer, sequence, [{ name, key: "a1", day: "2026-11-21", count: 1 }]);
  process.stdout.write(`${sequence}\n`);
}
await store.close();
