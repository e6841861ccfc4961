/** Queries in nodes: what one is asked, all answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { entryAt, NodeRig } from "../../../test/support/cluster/noting-agents.ts";
import { Kernel } from "../../lab/simulator/index.ts";
import type { PageAnswer, StreamBatch } from "../queries/index.ts";
import type { ClusterNode } from "./cluster-node.ts";

type Stream = ReturnType<ClusterNode["queries"]["linksTo"]>;

function settled(): NodeRig {
  const rig = new NodeRig(new Kernel({ seed: "queries" }), 3);
  rig.settle();
  return rig;
}

/** What a stream says until its end. */
function read(rig: NodeRig, stream: Stream): string[] {
  const items: string[] = [];
  const missing: StreamBatch["missing"][number][] = [];
  const next = (): void =>
    stream.next((batch) => {
      items.push(...batch.items.map((item) => Buffer.from(item).toString()));
      missing.push(...batch.missing);
      if (batch.from !== null) next();
    });
  next();
  rig.kernel.pass(5000);
  assert.deepEqual(missing, []);
  return items;
}

test("Q1: a page is found at another node, by the owner of its host", () => {
  const rig = settled();
  const host = rig.hostOf(2);
  rig.agent(2).node.found(entryAt(host, 4));
  rig.kernel.pass(1000);
  const answers: PageAnswer[] = [];
  for (const number of [4, 5]) {
    rig
      .agent(0)
      .node.queries.get(`${host}/${number}`, host as never, (answer) => void answers.push(answer));
  }
  rig.kernel.pass(1000);
  const said = answers.map((answer) =>
    answer.kind === "page" ? `${answer.holder.id} ${answer.totalBytes}` : answer.kind,
  );
  assert.deepEqual(said.toSorted(), [`a2 ${host.length + 2}`, "absent"].toSorted());
});

test("Q2: the links to a page are asked of all nodes", () => {
  const rig = settled();
  const items = read(rig, rig.agent(1).node.queries.linksTo("http://x.example/"));
  assert.deepEqual(items, Array(3).fill("links-in http://x.example/"));
});

test("Q2: every node tells its status itself", () => {
  const rig = settled();
  const items = read(rig, rig.agent(1).node.queries.statuses()).map((item) => JSON.parse(item));
  assert.deepEqual(items.map(({ id }) => id).toSorted(), ["a0", "a1", "a2"]);
  for (const { state, ring, members } of items) {
    assert.deepEqual({ state, ring, alive: members.alive }, { state: "active", ring: 3, alive: 3 });
  }
});

test("Q3: whoever goes on with a cursor is told no status twice", () => {
  const rig = settled();
  const { queries } = rig.agent(1).node;
  let cursor = "";
  const first = queries.statuses();
  const next = (): void =>
    first.next((batch) => {
      ({ cursor } = batch);
      if (batch.from !== null) next();
    });
  next();
  rig.kernel.pass(5000);
  assert.deepEqual(read(rig, queries.stream({ what: "status", argument: "" }, cursor)), []);
});
