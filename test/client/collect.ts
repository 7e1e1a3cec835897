/** Returns all items of an asynchronous source. Node 20 has no `Array.fromAsync`. */
export async function collect<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
}
