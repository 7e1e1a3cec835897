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

test("an address has too many beyond the bound, others and those without a bound never", () => {
  // The list is read again after a quarter of a second.
  const clock = mock.method(performance, "now", () => 1_000);
  const bounded = new AddressCounts(2, () => 1);
  const isTooMany = (address: string) => bounded.isTooMany(() => address);
  // Counts beyond the bound are compared with the kernel's list, which knows no connection of port 1.
  assert.deepEqual(["a", "a", "a", "a", "b"].map(isTooMany), [false, false, false, false, false]);
  assert.deepEqual(["a", "a", "a"].map(isTooMany), [false, true, true]);
  clock.mock.mockImplementation(() => 2_000);
  assert.deepEqual(["a", "a", "a", "a"].map(isTooMany), [false, false, false, true]);
  clock.mock.restore();
  const unbounded = new AddressCounts(0, () => 1);
  assert.equal(
    unbounded.isTooMany(() => assert.fail("the address is not asked for")),
    false,
  );
});
