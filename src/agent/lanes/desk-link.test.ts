import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { MemoryPort } from "../../../test/support/topology/memory-ports.ts";
import { carry } from "../../base/background/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import { DeskLink } from "./desk-link.ts";
import type { FromLane, LaneItem, ToLane } from "./lane-messages.ts";
import { readLanePost } from "./lane-posts.ts";

function rig() {
  const time = new SimulatedTime();
  const [atDesk, atLane] = MemoryPort.pair<ToLane, FromLane>(time, 2);
  const desk = new DeskLink({ clock: time, port: atLane });
  const posts: (readonly LaneItem[])[] = [];
  atDesk.listen((message) => {
    if (message.kind !== "post") return;
    const items: LaneItem[] = [];
    readLanePost(message.post, (item) => items.push(item));
    posts.push(items);
  });
  const settle = (): void => {
    while (time.step());
  };
  return { desk, posts, settle };
}

test("what is posted in one turn goes as one message, in its order", () => {
  const { desk, posts, settle } = rig();
  desk.post({ kind: "expect", line: 0 });
  desk.post({ kind: "idle" });
  settle();
  desk.post({ kind: "freed" });
  settle();
  assert.deepEqual(posts, [[{ kind: "expect", line: 0 }, { kind: "idle" }], [{ kind: "freed" }]]);
});

test("a flush sends what was posted so far, and nothing twice", () => {
  const { desk, posts, settle } = rig();
  desk.post({ kind: "idle" });
  desk.flush();
  desk.flush();
  settle();
  assert.deepEqual(posts, [[{ kind: "idle" }]]);
});

test("there is no room while too much was not acknowledged, and those who wait are told", () => {
  const { desk, settle } = rig();
  let items = 0;
  while (desk.hasRoom) {
    desk.post({ kind: "idle" });
    items += 1;
  }
  settle();
  let told = 0;
  desk.whenRoom(() => {
    told += 1;
  });
  settle();
  assert.deepEqual([desk.hasRoom, told], [false, 0]);
  desk.taken(1);
  assert.deepEqual([desk.hasRoom, told], [true, 1]);
  desk.taken(items - 1);
  assert.equal(told, 1);
  // With room, the answer comes too, but not inside the call.
  desk.whenRoom(() => {
    told += 1;
  });
  assert.equal(told, 1);
  settle();
  assert.equal(told, 2);
});

test("a question is answered once, by its number, or with the fault that prevents it", () => {
  const { desk, settle } = rig();
  const heard: unknown[] = [];
  const ids: number[] = [];
  for (const name of ["first", "second"]) {
    desk.ask(
      (id) => {
        ids.push(id);
        return { kind: "log", id, isDurable: true };
      },
      (error, answer) => heard.push([name, error?.code ?? null, answer?.kind ?? null]),
    );
  }
  settle();
  const [first = 0, second = 0] = ids;
  const error = carry(new CrawlError("STORE_FAILED", "The disk is gone."));
  desk.answered([
    { kind: "fault", id: second, error },
    { kind: "claimed", id: first, original: null },
  ]);
  desk.answered([{ kind: "claimed", id: first, original: null }]);
  desk.logged(second, null);
  assert.deepEqual(heard, [
    ["second", "STORE_FAILED", null],
    ["first", null, "claimed"],
  ]);
});
