/** A kernel that traps costs nothing but time: the page is had all the same, and it is told. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mock, test } from "node:test";
import { Kernels } from "../../src/base/kernels/index.ts";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";

const PAGES = 6;
const TRAPS = 4;

/** Lets a kernel trap at the first calls whose arguments are like this. */
function trapping(kernel: "deflate" | "digest", isMeant: (bytes: Uint8Array) => boolean) {
  const original = Kernels.prototype[kernel] as (...args: unknown[]) => unknown;
  const traps = { count: 0 };
  mock.method(Kernels.prototype, kernel, function trap(this: Kernels, ...args: Uint8Array[]) {
    if (traps.count === TRAPS || !isMeant(args.at(-1) as Uint8Array)) {
      return original.apply(this, args);
    }
    traps.count += 1;
    throw new Error(`memory access out of bounds in ${kernel}`);
  });
  return traps;
}

const isRecordOfPage = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes).includes("WARC-Type: response");

const cases = [
  ["deflate", isRecordOfPage],
  ["digest", () => true],
] as const;

for (const [kernel, isMeant] of cases) {
  test(`pages at which the kernel ${kernel} traps are whole, and each trap is counted`, async () => {
    const traps = trapping(kernel, isMeant);
    const numbers = Array.from({ length: PAGES }, (_, number) => `/${number}`);
    const pageOf = (path: string) => linking(...numbers, `${path}#top`);
    const pages = Object.fromEntries(numbers.map((path) => [path, pageOf(path)]));
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
        assert.equal(traps.count, TRAPS);
        assert.equal(summary?.errors["INTERNAL_KERNEL"], TRAPS);
        const log = readFileSync(join(folder, "logs/faults.log"), "utf8").trimEnd().split("\n");
        assert.equal(log.length, TRAPS);
        assert.match(log[0] ?? "", /INTERNAL_KERNEL.*memory access out of bounds/);
      },
    );
    mock.restoreAll();
  });
}
