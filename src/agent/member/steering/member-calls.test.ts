/** What an agent has all do, what comes of it, and what it does for others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../../base/errors/index.ts";
import type { ClusterNode } from "../../../cluster/node/index.ts";
import { carryOutBy, MemberCalls } from "./member-calls.ts";

type Local = ReturnType<Parameters<typeof carryOutBy>[0]>;
type Called = Parameters<Parameters<ClusterNode["queries"]["call"]>[2]>[0];

function placeOf(id: string): { id: string; generation: number } {
  return { id, generation: 1 };
}

function answerOf(id: string, text: string, code = ""): Called["answers"][number] {
  return { place: placeOf(id), isDone: code === "", code, text };
}

/** The calls of the agent `a`, to which these answers come. */
function callsTo(answers: Called["answers"], ...missing: readonly string[]): MemberCalls {
  const gone = missing.map((id) => ({ place: placeOf(id), why: "dead" as const }));
  const call: ClusterNode["queries"]["call"] = (_id, _call, done) =>
    done({ answers, missing: gone });
  const node = { queries: { call }, view: { self: placeOf("a") } };
  return new MemberCalls(node as unknown as ClusterNode);
}

/** What an agent answers that is called. */
function said(local: Local, what: string, argument: unknown): Promise<string> {
  return new Promise((resolve) =>
    carryOutBy(() => local)({ what, argument: JSON.stringify(argument) }, (error, text) =>
      resolve(error === null ? text : error.code),
    ),
  );
}

test("answers, refusals and who is missing are told apart", async () => {
  const answers = [
    answerOf("a", "3"),
    answerOf("b", "no such host", "CONTROL_NOT_FOUND"),
    answerOf("c", "a later version says so", "CONTROL_OF_TOMORROW"),
  ];
  const {
    answers: done,
    refusals,
    missing,
  } = await callsTo(answers, "d").all("retry", {
    where: null,
  });
  assert.deepEqual([...done], [["a", 3]]);
  assert.deepEqual(refusals, [
    { agent: "b", code: "CONTROL_NOT_FOUND", text: "no such host" },
    { agent: "c", code: "CONTROL_NOT_FOUND", text: "a later version says so" },
  ]);
  assert.deepEqual(missing, [{ agent: "d", why: "dead" }]);
});

test("what this agent refuses is refused, and others that refuse are among those who are missing", async () => {
  const refused = answerOf("a", "a mistake in the filter", "FILTER_INVALID");
  await assert.rejects(callsTo([answerOf("b", "1"), refused]).allOrNone("retry", { where: "x" }), {
    code: "FILTER_INVALID",
    message: "a mistake in the filter",
  });
  const others = [answerOf("a", "3"), answerOf("b", "too busy", "CONTROL_BUSY")];
  const { answers, missing } = await callsTo(others, "c").allOrNone("retry", { where: null });
  assert.deepEqual([...answers], [["a", 3]]);
  assert.deepEqual(missing, [
    { agent: "c", why: "dead" },
    { agent: "b", why: "failed" },
  ]);
});

test("an agent carries out what it knows, and says why not", async () => {
  const local = {
    retry: async (where: string | null) => ({ retried: where === null ? 2 : 0 }),
    host: async () => {
      throw new CrawlError("CONTROL_BUSY", "later");
    },
    changeHost: async () => {
      throw new TypeError("a mistake of ours");
    },
    units: { change: async () => ["not for others"] },
  } as unknown as Local;
  assert.equal(await said(local, "retry", { where: null }), "2");
  assert.equal(await said(local, "change", { id: "web", values: {} }), "null");
  assert.equal(await said(local, "host", { host: "h.example" }), "CONTROL_BUSY");
  assert.equal(await said(local, "changeHost", {}), "INTERNAL_API");
  for (const what of ["toString", "tomorrow"]) {
    assert.equal(await said(local, what, {}), "CONTROL_NOT_FOUND");
  }
  assert.equal(await said(null, "retry", {}), "API_NOT_READY");
});
