import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import { ProblemList } from "../../store/query/index.ts";
import type { CheckedCluster } from "./check-cluster.ts";
import { AgentsComparison } from "./compare-agents.ts";

const A: Place = { id: "a", generation: 5 };
const B: Place = { id: "b", generation: 7 };
const PAGE = { high: 1, low: 2 };
const OTHER = { high: 3, low: 4 };
const NOTHING = { incarnation: 2, members: [], inbound: new Map<string, number>(), outboxes: [] };

function entryOf(page: typeof PAGE): UrlEntry {
  return { kind: "url", host: "h.test", depth: 1, holders: [], record: new Uint8Array(), ...page };
}

/** `FILE: PROBLEM`, of the directories 1 of a and 2 of b. */
function problemsOf(
  one: Partial<CheckedCluster>,
  other: Partial<CheckedCluster>,
  say: (comparison: AgentsComparison) => void = () => undefined,
): string[] {
  const folder = mkdtempSync(join(tmpdir(), "trobar-compare-"));
  const comparison = new AgentsComparison(join(folder, "sorted"));
  const problems = new ProblemList();
  comparison.findingsOf("1").cluster({ ...NOTHING, place: A, ...one });
  comparison.findingsOf("2").cluster({ ...NOTHING, place: B, ...other });
  say(comparison);
  comparison.compare(problems);
  comparison.close();
  rmSync(folder, { recursive: true });
  for (const { remedy } of problems.kept) assert.match(remedy, /--join/);
  return problems.kept.map(({ file, problem }) => `${file}: ${problem}`);
}

test("I3: what one counts as acknowledged has arrived at the other", () => {
  const outboxes = [{ place: B, stream: "s", acknowledged: 100 }];
  assert.deepEqual(problemsOf({ outboxes }, { inbound: new Map([["s", 100]]) }), []);
  const [problem = "", ...more] = problemsOf({ outboxes }, { inbound: new Map([["s", 90]]) });
  assert.match(problem, /^2\/inbox.*1 has told it 100 bytes.*knows of 90/);
  assert.deepEqual(more, []);
  assert.equal(problemsOf({ outboxes }, {}).length, 1, "it knows nothing of the stream");
  const earlier = [{ place: { ...B, generation: 6 }, stream: "s", acknowledged: 100 }];
  assert.deepEqual(problemsOf({ outboxes: earlier }, {}), [], "it was told an earlier disk");
});

test("I5: a page that a disk is said to have is there", () => {
  const say = (page: typeof PAGE) => (comparison: AgentsComparison) => {
    comparison.findingsOf("1").claimed(B, entryOf(PAGE));
    comparison.findingsOf("2").had(page);
    comparison.findingsOf("1").claimed({ id: "c", generation: 1 }, entryOf(OTHER));
  };
  assert.deepEqual(problemsOf({}, {}, say(PAGE)), [], "of c nothing is known");
  const [problem = "", ...more] = problemsOf({}, {}, say(OTHER));
  assert.match(problem, /^1\/held\/b\.7: it says that b\.7 has a page of h\.test that is not in 2/);
  assert.deepEqual(more, []);
});

test("D1: a disk that others have heard in a later life than it knows of is an older copy", () => {
  const members = [{ place: B, incarnation: 3 }];
  assert.deepEqual(problemsOf({ members }, { incarnation: 3 }), []);
  const [problem = ""] = problemsOf({ members }, { incarnation: 2 });
  assert.match(problem, /^2\/cluster\/members: it knows of 2 lives.*life 3.*older copy/);
});
