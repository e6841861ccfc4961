/** A kernel that traps costs nothing but time: the page is archived all the same, and it is told. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mock, test } from "node:test";
import { Kernels } from "../../src/base/kernels/index.ts";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";

const PAGES = 6;
const TRAPS = 4;

test("pages at which a kernel traps are archived by its twin, and each trap is counted", async () => {
  const { deflate } = Kernels.prototype;
  let traps = 0;
  mock.method(Kernels.prototype, "deflate", function trapping(this: Kernels, bytes: Uint8Array) {
    const isOfPage = Buffer.from(bytes).includes("WARC-Type: response");
    if (!isOfPage || traps === TRAPS) return deflate.call(this, bytes);
    traps += 1;
    throw new Error("memory access out of bounds");
  });
  const numbers = Array.from({ length: PAGES }, (_, number) => `/${number}`);
  const pages = Object.fromEntries(numbers.map((path) => [path, linking(...numbers)]));
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const { code, records, summary, folder } = await web.crawl(["a.test/0"], []);
      assert.equal(code, 0);
      const archived = records.filter(({ type }) => type === "response" || type === "revisit");
      assert.deepEqual(
        archived.map(({ targetUri }) => targetUri).sort(),
        numbers.map((path) => web.url(`a.test${path}`)),
      );
      assert.equal(summary?.errors["INTERNAL_KERNEL"], traps);
      const log = readFileSync(join(folder, "logs/faults.log"), "utf8").trimEnd().split("\n");
      assert.equal(log.length, traps);
      assert.match(log[0] ?? "", /INTERNAL_KERNEL.*memory access out of bounds/);
      assert.ok(traps > 0, "the kernel was asked");
    },
  );
  mock.restoreAll();
});
