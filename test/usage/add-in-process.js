import { LmdbStore } from "../../.dist/src/usage/lmdb-store.js";

// Adds one check at a time to the store in a folder, as the writer of a name: a process of its own among several.
const [folder, writer, times] = process.argv.slice(2);
const store = new LmdbStore(folder);
for (let sequence = 1; sequence <= Number(times); sequence++) {
  await store.add(writer, sequence, [{ name: "anna", key: "a1", day: "2026-11-21", count: 1 }]);
}
await store.close();
