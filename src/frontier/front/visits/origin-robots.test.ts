import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "../../../base/seams/index.ts";
import type { FetchableUrl, Origin } from "../../../formats/url/index.ts";
import { CheckpointClock } from "../saving/checkpoint-clock.ts";
import { OriginRobots } from "./origin-robots.ts";

const ORIGIN = "http://a.example" as Origin;
const MOVED = { url: "http://b.example/rules" as FetchableUrl, redirects: 2 };

function clockAt(nowMs: number, wallMs: number): Clock {
  return { nowMs: () => nowMs, wallMs: () => wallMs, after: () => assert.fail("no timers") };
}

test("where redirects have led so far is part of a checkpoint, with its age", () => {
  const before = CheckpointClock.begin(clockAt(5000, 1_000_000));
  let changes = 0;
  const origin = new OriginRobots(ORIGIN, () => {
    changes += 1;
  });
  origin.beAsked();
  origin.move(MOVED, 4900);
  assert.equal(changes, 1);
  const saved = JSON.parse(JSON.stringify(origin.save(before)));
  const after = CheckpointClock.since(clockAt(10, 1_000_501), before.moment);
  const restored = new OriginRobots(ORIGIN);
  restored.restore(saved, after);
  assert.equal(restored.isBeingAsked, false);
  assert.deepEqual(restored.movedTo(10, 601), MOVED);
  assert.equal(restored.movedTo(10, 600), null);
});

test("when a robots.txt is settled or has failed, it is asked for at its origin again", () => {
  const ends: readonly ((origin: OriginRobots) => void)[] = [
    (origin) => origin.allowAll(2),
    (origin) => origin.unchanged(2),
    (origin) => origin.giveUp(500, 2),
    (origin) => origin.failed(500, 9, false),
  ];
  const clock = CheckpointClock.begin(clockAt(5, 5));
  for (const end of ends) {
    const origin = new OriginRobots(ORIGIN);
    origin.move(MOVED, 1);
    end(origin);
    assert.equal(origin.movedTo(2, 100), null);
    assert.ok(!("moved" in origin.save(clock)));
  }
});
