import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { HostsFile } from "./hosts-file.ts";
import { readHostsFile } from "./hosts-file-reader.ts";

test("a name has the addresses of all its lines, in any case and with any white space", () => {
  const hosts = new HostsFile(
    "\uFEFF# comment\r\n192.0.2.1\tA.example  b.example # c.example\r\n" +
      "2001:db8::1 a.example.\n\n   192.0.2.2 a.example\nfe80::1%lo0 d.example\nnonsense e.example",
  );
  assert.deepEqual(hosts.addressesOf("a.example"), ["192.0.2.1", "2001:db8::1", "192.0.2.2"]);
  assert.deepEqual(hosts.addressesOf("b.example"), ["192.0.2.1"]);
  for (const name of ["c.example", "d.example", "e.example", "", "#", "__proto__"])
    assert.deepEqual(hosts.addressesOf(name), []);
});

test("any text is read without complaint", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.deepEqual(new HostsFile(text).addressesOf("nobody.example"), []);
    }),
  );
});

test("a hosts file that is missing or cannot be read counts as empty", () => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-hosts-"));
  try {
    const path = join(folder, "hosts");
    assert.deepEqual(readHostsFile(path).addressesOf("a.example"), []);
    assert.deepEqual(readHostsFile(folder).addressesOf("a.example"), []);
    writeFileSync(path, "192.0.2.1 a.example\n");
    assert.deepEqual(readHostsFile(path).addressesOf("a.example"), ["192.0.2.1"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
