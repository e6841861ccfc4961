import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kernels, threadKernels } from "../../base/kernels/index.ts";
import { PageParser } from "../../formats/html/index.ts";
import { KeyedBlocks } from "../digest/index.ts";
import { PageDigests } from "./page-digests.ts";

const KEY: Uint8Array = Buffer.from("sixteen bytes ok");
const terms = { blocks: new KeyedBlocks(KEY), crawlKey: KEY, near: true };
const parser = new PageParser();
const PAGE = Buffer.from(`<title>A story</title><h1>A story</h1><p>${"of some words ".repeat(20)}`);

function without(): Kernels {
  throw new Error("no SIMD");
}

function digestsOf(page: Uint8Array, digests: PageDigests, redirectTo?: string): unknown {
  digests.begin();
  parser.read(page, { sink: digests });
  digests.finish(redirectTo);
  return { stripped: digests.stripped, near: digests.near };
}

function slow(): PageDigests {
  const digests = new PageDigests({ ...terms, kernels: without });
  assert.match(String(digests.takeThrown()), /no SIMD/);
  return digests;
}

/** The kernels of this thread, with a count, and a trap at some calls. */
function counted(isTrap: (call: number) => boolean = () => false) {
  const calls = { count: 0 };
  const { digestRoom } = threadKernels();
  const digest: Kernels["digest"] = (...told) => {
    calls.count += 1;
    if (isTrap(calls.count)) throw new Error("unreachable");
    return threadKernels().digest(...told);
  };
  return { calls, kernels: () => ({ digestRoom, digest }) as Kernels };
}

test("a page is digested by one call of the kernel, with the results of its twins", () => {
  const { calls, kernels } = counted();
  const digests = new PageDigests({ ...terms, kernels });
  assert.deepEqual(digestsOf(PAGE, digests), digestsOf(PAGE, slow()));
  assert.equal(calls.count, 1);
  assert.deepEqual(digestsOf(Buffer.alloc(0), digests), { stripped: null, near: null });
});

test("what a kernel traps at is digested by its twins, and the next page by the kernel again", () => {
  const { calls, kernels } = counted((call) => call === 1);
  const digests = new PageDigests({ ...terms, kernels });
  const before = threadKernels();
  const expected = digestsOf(PAGE, slow());
  assert.deepEqual(digestsOf(PAGE, digests), expected);
  assert.match(String(digests.takeThrown()), /unreachable/);
  assert.notEqual(threadKernels(), before);
  assert.deepEqual(digestsOf(PAGE, digests), expected);
  assert.deepEqual([digests.takeThrown(), calls.count], [null, 2]);
});

test("a page with more tags or text than a kernel takes is digested by its twins", () => {
  const { digestRoom } = threadKernels();
  const many = Buffer.concat([PAGE, Buffer.from("<b>".repeat(digestRoom.eventsMax)), PAGE]);
  const long = Buffer.concat([PAGE, Buffer.alloc(digestRoom.textBytesMax, "long "), PAGE]);
  for (const page of [many, long]) {
    const { calls, kernels } = counted();
    const digests = new PageDigests({ ...terms, kernels });
    assert.deepEqual(digestsOf(page, digests), digestsOf(page, slow()));
    assert.equal(calls.count, 0);
    assert.deepEqual(digestsOf(PAGE, digests), digestsOf(PAGE, slow()));
    assert.equal(calls.count, 1, "the next page is the kernel's");
  }
});

test("redirects and bodies that are not pages are digested as without a kernel", () => {
  const bodies = [Buffer.from("plain text, "), Buffer.from("in two pieces")];
  const all = [new PageDigests(terms), slow()].map((digests) => {
    const page = digestsOf(PAGE, digests, "https://example.org/there");
    const elsewhere = digestsOf(PAGE, digests, "https://example.org/elsewhere");
    assert.notDeepEqual(page, elsewhere);
    digests.begin();
    for (const body of bodies) digests.body(body, true);
    digests.finish(undefined);
    return { page, elsewhere, body: digests.stripped };
  });
  assert.deepEqual(all[0], all[1]);
});

test("without near duplicates there is no SimHash", () => {
  const digests = new PageDigests({ ...terms, near: false });
  const { stripped } = digestsOf(PAGE, slow()) as { stripped: unknown };
  assert.deepEqual(digestsOf(PAGE, digests), { stripped, near: null });
});
