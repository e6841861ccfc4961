import assert from "node:assert/strict";
import { test } from "node:test";
import { SystemClock } from "../../base/time/index.ts";
import { AddressPolicy } from "../../formats/address/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { Resolution } from "../dns/index.ts";
import { ProxyResolver } from "./proxy-resolver.ts";

const policy = new AddressPolicy({ allow: [], block: [], ports: "any" });

function resolved(host: string, by = policy): Promise<Resolution> {
  const resolver = new ProxyResolver(by, new SystemClock());
  return new Promise((resolve) => resolver.resolve(host as HostName, resolve));
}

test("behind a proxy no server is asked for the address of a name", async () => {
  const resolution = await resolved("known-to-the-proxy.invalid");
  assert.deepEqual(resolution.kind === "resolved" && resolution.addresses, []);
});

test("a host that is a public address passes, one that is a private address does not", async () => {
  assert.equal((await resolved("93.184.216.34")).kind, "resolved");
  for (const host of ["127.0.0.1", "10.0.0.1", "[::1]", "169.254.169.254"]) {
    const resolution = await resolved(host);
    assert(resolution.kind === "failed", host);
    assert.equal(resolution.error.code, "FETCH_ADDRESS_REFUSED");
  }
});

test("names that mean this machine pass only if loopback does", async () => {
  const open = new AddressPolicy({ allow: ["127.0.0.0/8"], block: [], ports: "any" });
  for (const host of ["localhost", "localhost.", "a.localhost", "a.b.localhost."]) {
    const resolution = await resolved(host);
    assert(resolution.kind === "failed", host);
    assert.equal(resolution.error.code, "FETCH_ADDRESS_REFUSED");
    assert.equal((await resolved(host, open)).kind, "resolved");
  }
  assert.equal((await resolved("notlocalhost")).kind, "resolved");
});
