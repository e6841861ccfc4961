import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { isOwnAddress, mayBeOwn, ownAddresses } from "./own-machine.ts";

const FOREIGN = ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", "0.0.0.0", "8.8.8.8", ""];

test("the addresses of this machine are its own, and no others", () => {
  const here = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const own = ["127.0.0.1", "127.1.2.3", "::ffff:127.0.0.1", ...here.map(({ address }) => address)];
  for (const address of own) assert.ok(isOwnAddress(address), address);
  for (const address of FOREIGN) assert.ok(!isOwnAddress(address), address);
});

test("a name may be this machine's until it is resolved, an address only if it is", () => {
  for (const host of ["localhost", "crawler.example.org", "127.0.0.1"]) assert.ok(mayBeOwn(host));
  for (const host of ["192.0.2.1", "[2001:db8::1]"]) assert.ok(!mayBeOwn(host), host);
});

test("a name that is not only this machine's gives no address", async () => {
  const resolved = (name: string) =>
    new Promise((resolve, reject) => {
      ownAddresses(name, {}, (error, found) => (error === null ? resolve(found) : reject(error)));
    });
  const found = (await resolved("localhost")) as { readonly address: string }[];
  assert.ok(found.length > 0 && found.every(({ address }) => isOwnAddress(address)));
  // An address resolves to itself, without asking anybody.
  await assert.rejects(resolved("192.0.2.1"), /another machine/);
});
