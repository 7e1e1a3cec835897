import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, isIPv4 } from "node:net";
import { mock, test } from "node:test";
import { AddressCounts, connectionsByAddress } from "../../src/http/addresses.ts";
import { until } from "../faults/gate.ts";
import { hasIpv6 } from "../free-port.ts";

for (const [host, client, address] of [
  ["127.0.0.1", "127.0.0.2", "127.0.0.2"],
  ["::", "127.0.0.3", "0000:0000:0000:0000:0000:ffff:7f00:0003"],
  ["::1", "::1", "0000:0000:0000:0000:0000:0000:0000:0001"],
] as const) {
  test(`the kernel's list says how many connections each address has: from ${client} to ${host}`, {
    skip: hasIpv6 || isIPv4(host) ? false : "IPv6 is off",
  }, async () => {
    const server = createServer().listen(0, host);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const target = host === "::" ? "127.0.0.1" : host;
    const sockets = [1, 2, 3].map(() => connect({ port, host: target, localAddress: client }));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    // While others connect, the kernel may list a connection twice or leave one out.
    await until(() => connectionsByAddress(port).get(address) === 3);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}

/** A clock by which a look at the list takes `scanMs`, and a list that a test sets. */
function setUp(max: number, scanMs = 0) {
  const state = { now: 1_000, scans: 0, list: new Map<string, number>() };
  const clock = mock.method(performance, "now", () => state.now);
  const counts = new AddressCounts(max, () => {
    state.scans++;
    state.now += scanMs;
    return new Map(state.list);
  });
  const open = (address: string, times: number) =>
    Array.from({ length: times }, () => counts.isTooMany(() => address));
  return { state, counts, open, restore: () => clock.mock.restore() };
}

test("an address has too many beyond the bound, others and those without a bound never", () => {
  const { state, counts, open, restore } = setUp(2);
  assert.deepEqual(open("a", 4), [false, false, true, true]);
  assert.deepEqual(open("b", 2), [false, false]);
  // The two that were refused close, and are not taken for others.
  for (const left of [5, 4]) counts.closed(left);
  assert.deepEqual(open("a", 1), [true]);
  assert.equal(state.scans, 0, "nothing was uncertain");
  restore();
  const unbounded = new AddressCounts(0, () => assert.fail("the list is not read"));
  assert.equal(
    unbounded.isTooMany(() => assert.fail("the address is not asked for")),
    false,
  );
});

test("where connections have closed the list decides, and no address is refused below its bound", () => {
  const { state, counts, open, restore } = setUp(2, 10);
  open("a", 2);
  counts.closed(1);
  state.list.set("a", 2);
  assert.deepEqual(open("a", 2), [false, true]);
  assert.equal(state.scans, 1);
  counts.closed(2);
  counts.closed(1);
  // Until the list may be read again, only what is certain is refused: one more may be one of those that closed.
  assert.deepEqual(open("a", 2), [false, true]);
  assert.equal(state.scans, 1);
  counts.closed(2);
  state.now += 200;
  counts.closed(1);
  state.list.set("a", 1);
  assert.deepEqual(open("a", 2), [false, false]);
  restore();
});

test("addresses whose connections are closed are forgotten", () => {
  const { state, counts, open, restore } = setUp(2);
  for (let number = 0; number < 3_000; number++) {
    open(`${number}`, 1);
    counts.closed(1);
  }
  assert.ok(state.scans > 0 && state.scans < 10, `${state.scans} looks at the list`);
  open("a", 2);
  counts.closed(0);
  assert.deepEqual(open("a", 3), [false, false, true], "nothing is left of what was there");
  restore();
});
