import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { addOrders, readOrders, removeOrders } from "./orders.ts";
import { RetriedPages } from "./retried-pages.ts";

function withFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "trobar-orders-"));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("orders add up until a run has taken them, each once", () => {
  withFolder((folder) => {
    assert.deepEqual(readOrders(folder), { seeds: [], retries: [] });
    addOrders(folder, { seeds: ["http://a.test/", "http://b.test/"] });
    addOrders(folder, { seeds: ["http://a.test/"], retries: [null] });
    addOrders(folder, { retries: [null, "StatusIs(404)"] });
    addOrders(folder, { retries: ["StatusIs(404)"] });
    assert.deepEqual(readOrders(folder), {
      ...{ seeds: ["http://a.test/", "http://b.test/"], retries: [null, "StatusIs(404)"] },
    });
    assert.equal(statSync(join(folder, "orders.json")).mode & 0o777, 0o600);
    removeOrders(folder);
    assert.deepEqual(readOrders(folder), { seeds: [], retries: [] });
  });
});

test("a failure that was retried is known afterwards, a later one of the same page is not", () => {
  withFolder((folder) => {
    const failure = { url: "http://a.test/", fetchedAt: "2026-01-31T12:00:00.005Z" };
    const first = new RetriedPages(folder);
    assert.ok(!first.has(failure));
    first.add([failure]);
    const second = new RetriedPages(folder);
    assert.ok(first.has(failure) && second.has(failure));
    assert.ok(!second.has({ ...failure, fetchedAt: "2026-01-31T13:00:00.000Z" }));
  });
});

test("what is not such a file is refused, and says what to do", () => {
  const bad = ["", "{", "[]", '{"format":2,"seeds":[],"retries":[]}', '{"format":1,"seeds":[1]}'];
  for (const text of bad) {
    withFolder((folder) => {
      writeFileSync(join(folder, "orders.json"), text);
      writeFileSync(join(folder, "retried.json"), text);
      const refusal = { code: "DIRECTORY_DAMAGED", message: /remove it/ };
      assert.throws(() => readOrders(folder), refusal, text);
      assert.throws(() => new RetriedPages(folder), refusal, text);
    });
  }
});
