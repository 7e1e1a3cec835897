/** Returns one member of each object. */
export function pluck<T, K extends keyof T>(objects: readonly T[], key: K): T[K][] {
  return objects.map((object) => object[key]);
}
