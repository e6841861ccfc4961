/** Answers of others, put together from their pieces. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "../../../cluster/messages/index.ts";
import type { StreamBatch } from "../../../cluster/queries/index.ts";
import { Kernel } from "../../../lab/simulator/index.ts";
import { MemberPages } from "./member-pages.ts";

const B: Place = { id: "b", generation: 1 };

type Step = string | "failed";

/** Agent b tells these pieces, one stream after the other, or fails. */
function pagesOf(streams: readonly (readonly Step[])[]): {
  pages: MemberPages;
  read: () => number;
} {
  let begun = 0;
  const stream = (): unknown => {
    const steps = [...(streams[begun] ?? [])];
    begun += 1;
    const missing: StreamBatch["missing"][number][] = [];
    const end: StreamBatch = { from: null, items: [], omitted: 0, cursor: "", missing };
    return {
      next: (done: (batch: StreamBatch) => void) => {
        const step = steps.shift();
        if (step === "failed") missing.push({ place: B, why: "failed" });
        const isPiece = step !== undefined && step !== "failed";
        queueMicrotask(() => done(isPiece ? { ...end, from: B, items: [Buffer.from(step)] } : end));
      },
      close: () => undefined,
    };
  };
  const pages = new MemberPages({
    clock: new Kernel({ seed: "pages" }).clock,
    queries: { stream, get: () => assert.fail("it is asked of all") } as never,
    own: { ask: () => assert.fail("it is asked of all") },
    ...{ crawl: "c", hostOf: () => null },
  });
  return { pages, read: () => begun };
}

const ASKED = { url: "http://a.test/", text: true };

test("Q2: a page that changes while it is read in pieces is read anew", async () => {
  const { pages, read } = pagesOf([
    ['{"url":"old', "failed"],
    ['{"url":', '"new"}'],
  ]);
  assert.deepEqual(await pages.ask("page", ASKED), { url: "new" });
  assert.equal(read(), 2);
});

test("Q2: a page that changes again and again is not to be had, and nothing else is said of it", async () => {
  const { pages, read } = pagesOf(Array.from({ length: 9 }, () => ['{"url":"old', "failed"]));
  await assert.rejects(pages.ask("page", ASKED), { code: "CLUSTER_ANSWER_MISSING" });
  assert.equal(read(), 3);
});

test("Q2: an agent that tells nothing is asked no more than once", async () => {
  const { pages, read } = pagesOf([["failed"]]);
  await assert.rejects(pages.ask("page", ASKED), { code: "CLUSTER_ANSWER_MISSING" });
  assert.equal(read(), 1);
});
