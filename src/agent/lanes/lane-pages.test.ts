import assert from "node:assert/strict";
import { test } from "node:test";
import type { RowRules } from "../visit/indexed-row.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import type { DeskLink } from "./desk-link.ts";
import type { LaneItem } from "./lane-messages.ts";
import { LaneIndex } from "./lane-pages.ts";

const PAGE = { high: 1, low: 2 };
const NEARER = { depth: 2, requisite: false };

test("what becomes known of a page while it is worked on is posted after its end", () => {
  const posted: string[] = [];
  const desk = { post: ({ kind }: LaneItem) => posted.push(kind) } as unknown as DeskLink;
  const index = new LaneIndex(desk, {} as RowRules, () => 0);
  const visit = {
    ...{ expected: { line: 4 }, record: { number: 7 }, errand: { ticket: PAGE }, isTold: true },
  } as never as PageVisit;
  index.begin(PAGE);
  index.improve(PAGE, NEARER);
  assert.deepEqual(posted, []);
  index.ended(visit);
  assert.deepEqual(posted.splice(0), ["ended", "improve"]);
  index.improve(PAGE, NEARER);
  assert.deepEqual(posted, ["improve"]);
});
