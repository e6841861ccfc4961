import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";
import type { Sender } from "../../messages/index.ts";
import { BEAT } from "../membership-messages.ts";

test("each other crawl in the mesh is told of once, and not heeded", () => {
  const members = Members.settled(["a", "b"]);
  const { membership, troubles } = members.at("a");
  const senderOf = (id: string, crawl: string): Sender => ({
    ...{ crawl, place: { id, generation: 1 }, incarnation: 1, capacity: 1 },
  });
  const [x, y] = ["0", "1"].map((digit) => digit.repeat(32));
  const senders = [senderOf("c", x ?? ""), senderOf("d", x ?? ""), senderOf("c", y ?? "")];
  const refusals = senders.map((sender) => membership.refuses(sender, BEAT.kind));
  assert.deepEqual(refusals, Array(3).fill("crawl"));
  assert.deepEqual(
    troubles.map(({ code, facts }) => [code, facts["id"], facts["crawl"]]),
    [
      ["CLUSTER_CRAWL_DIFFERS", "c", x],
      ["CLUSTER_CRAWL_DIFFERS", "c", y],
    ],
  );
  for (let at = 0; at < 100; at += 1) membership.refuses(senderOf("e", `${at}`), BEAT.kind);
  assert.equal(troubles.length, 32);
  assert.ok(membership.mayFetch);
});
