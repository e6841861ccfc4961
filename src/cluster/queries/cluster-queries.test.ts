import assert from "node:assert/strict";
import { test } from "node:test";
import { Rig } from "./cluster-queries.fixture.ts";
import type { PageAnswer } from "./index.ts";

const IDS = ["a", "b", "c"];
const URL = "http://h.example/x";
const HOST = "h.example" as never;

interface Asked {
  answer: PageAnswer | null;
  text: string;
  end: string | null;
}

function rigWithOwner(): { rig: Rig; owner: string; others: readonly string[] } {
  const rig = new Rig(IDS);
  const owner = rig.peers.view("a").ownerOf(HOST) ?? assert.fail();
  return { rig, owner, others: IDS.filter((id) => id !== owner) };
}

/** Asks for the page, and reads it. */
async function get(rig: Rig, by: string): Promise<Asked> {
  const asked: Asked = { answer: null, text: "", end: null };
  rig.queries(by).get(URL, HOST, (answer) => {
    asked.answer = answer;
    if (answer.kind !== "page") return;
    const each = (bytes: Uint8Array): void => {
      asked.text += Buffer.from(bytes).toString();
    };
    void answer.read(each).then((end) => {
      asked.end = end.kind;
    });
  });
  for (let round = 0; round < 100 && !isOver(asked); round += 1) {
    rig.pass(200);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return asked;
}

function isOver({ answer, end }: Asked): boolean {
  return answer !== null && (answer.kind !== "page" || end !== null);
}

test("Q1: the owner has the page, and gives it in parts", async () => {
  const { rig, owner, others } = rigWithOwner();
  rig.store(owner).pages.set(URL, "a page that is longer than one part");
  for (const by of [owner, ...others]) {
    const { answer, text, end } = await get(rig, by);
    assert.equal(answer?.kind === "page" && answer.holder.id, owner);
    assert.deepEqual([text, end], ["a page that is longer than one part", "whole"]);
  }
});

test("Q1: an empty page is a page", async () => {
  const { rig, owner } = rigWithOwner();
  rig.store(owner).pages.set(URL, "");
  const { text, end } = await get(rig, "a");
  assert.deepEqual([text, end], ["", "whole"]);
});

test("Q1: the owner names who has the page, and the question follows", async () => {
  const { rig, owner, others } = rigWithOwner();
  const [one = "", other = ""] = others;
  rig.store(owner).pointers.set(URL, rig.place(one));
  rig.store(one).pointers.set(URL, rig.place(other));
  rig.store(other).pages.set(URL, "here");
  const { answer, text } = await get(rig, owner);
  assert.equal(answer?.kind === "page" && answer.holder.id, other);
  assert.equal(text, "here");
});

test("Q1: a question that is sent in a circle gives up", async () => {
  const { rig, owner, others } = rigWithOwner();
  const [one = ""] = others;
  rig.store(owner).pointers.set(URL, rig.place(one));
  rig.store(one).pointers.set(URL, rig.place(owner));
  const { answer } = await get(rig, "a");
  assert.deepEqual(answer, {
    kind: "unknown",
    missing: [{ place: rig.place(owner), why: "failed" }],
  });
});

test("Q1: a page that nobody has is absent; one whose owner is silent is unknown", async () => {
  const { rig, owner, others } = rigWithOwner();
  const [by = ""] = others;
  assert.deepEqual((await get(rig, by)).answer, { kind: "absent", by: rig.place(owner) });
  rig.peers.cluster.takeDown(owner);
  const place = rig.place(owner);
  const silent = { kind: "unknown", missing: [{ place, why: "timed-out" }] };
  assert.deepEqual((await get(rig, by)).answer, silent);
  rig.peers.set(owner, "dead");
  const dead = { kind: "unknown", missing: [{ place, why: "dead" }] };
  assert.deepEqual((await get(rig, by)).answer, dead);
});

test("Q1: a page that is fetched again while it is read is not mixed", async () => {
  const { rig, owner } = rigWithOwner();
  const store = rig.store(owner);
  store.pages.set(URL, "the first of two that are long");
  let end: string | null = null;
  rig.queries("a").get(URL, HOST, (answer) => {
    store.stamp = "2";
    if (answer.kind !== "page") return;
    void answer
      .read(() => undefined)
      .then(({ kind }) => {
        end = kind;
      });
  });
  for (let round = 0; round < 20; round += 1) {
    rig.pass(200);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(end, "changed");
});

test("Q2: all members are asked, and what they say is merged", () => {
  const rig = new Rig(IDS);
  for (const id of IDS) rig.store(id).items = [`x ${id} 1`, `x ${id} 2`, `y ${id}`, `x ${id} 3`];
  const { items, last } = rig.readStream("b", "x");
  const expected = IDS.flatMap((id) => [1, 2, 3].map((number) => `x ${id} ${number}`));
  assert.deepEqual(items.toSorted(), expected);
  for (const id of IDS) {
    const own = items.filter((item) => item.startsWith(`x ${id}`));
    assert.deepEqual(own, own.toSorted(), "each in its own order");
  }
  assert.deepEqual(last?.missing, []);
});

test("Q2: who does not answer is missing, and why; and the others are heard", () => {
  const rig = new Rig(IDS);
  for (const id of IDS) rig.store(id).items = [id];
  rig.peers.cluster.takeDown("c");
  rig.store("b").isBroken = true;
  const first = rig.readStream("a", "");
  assert.deepEqual(first.items, ["a"]);
  assert.deepEqual(
    first.last?.missing.map(({ place, why }) => `${place.id} ${why}`),
    ["b failed", "c timed-out"],
  );
  rig.peers.set("c", "given-up");
  rig.store("b").isBroken = false;
  const second = rig.readStream("a", "");
  assert.deepEqual(second.items.toSorted(), ["a", "b"]);
  assert.deepEqual(second.last?.missing, [], "nobody expects c");
});

test("Q3: a stream goes on where its cursor says, for each place", () => {
  const rig = new Rig(IDS);
  for (const id of IDS)
    rig.store(id).items = Array.from({ length: 9 }, (_, at) => `${id} ${at} ----`);
  const first = rig.readStream("a", "", "", 4);
  rig.peers.cluster.takeDown("b")();
  const second = rig.readStream("c", "", first.last?.cursor);
  const all = [...first.items, ...second.items];
  assert.equal(all.length, 27);
  assert.equal(new Set(all).size, 27);
  assert.deepEqual(rig.readStream("c", "", second.last?.cursor).items, []);
  assert.equal(rig.readStream("c", "", "no cursor").items.length, 27);
});

test("Q3: the cursor of a batch stands for what was given, whatever has come since from others", () => {
  for (let batches = 1; batches <= 6; batches += 1) {
    const rig = new Rig(IDS);
    rig.pauseMs = 500;
    for (const id of IDS)
      rig.store(id).items = Array.from({ length: 9 }, (_, at) => `${id} ${at} ----`);
    const first = rig.readStream("a", "", "", batches);
    const { items } = rig.readStream("a", "", first.last?.cursor);
    assert.deepEqual(
      [...first.items, ...items].toSorted(),
      IDS.flatMap((id) => rig.store(id).items),
      `after ${batches}`,
    );
  }
});

test("Q3: a stream that follows gives what comes later", () => {
  const rig = new Rig(IDS);
  rig.store("b").items = ["early"];
  const items: string[] = [];
  const stream = rig.queries("a").stream({ what: "items", argument: "" }, "", true);
  const next = (): void =>
    stream.next((batch) => {
      items.push(...batch.items.map((item) => Buffer.from(item).toString()));
      next();
    });
  next();
  rig.pass();
  assert.deepEqual(items, ["early"]);
  rig.store("c").items = ["late"];
  rig.pass();
  assert.deepEqual(items, ["early", "late"]);
  stream.close();
});

test("Q3: a stream that follows goes on with whoever was missing for a while", () => {
  const rig = new Rig(IDS);
  const items: string[] = [];
  const stream = rig.queries("a").stream({ what: "items", argument: "" }, "", true);
  const next = (): void =>
    stream.next((batch) => {
      items.push(...batch.items.map((item) => Buffer.from(item).toString()));
      next();
    });
  next();
  rig.pass();
  const restart = rig.peers.cluster.takeDown("b");
  rig.pass();
  rig.store("c").items = ["of c"];
  rig.pass();
  assert.deepEqual(items, ["of c"], "nobody waits for b");
  rig.store("b").items = ["of b"];
  restart();
  rig.pass();
  assert.deepEqual(items, ["of c", "of b"]);
  stream.close();
});

test("a busy agent answers few at once, and all in the end", () => {
  const rig = new Rig(IDS);
  rig.store("b").items = ["x"];
  const ends: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const stream = rig.queries("a").stream({ what: "items", argument: "" }, "");
    const next = (): void =>
      stream.next(({ from, missing }) => {
        if (from !== null) next();
        else ends.push(String(missing.length));
      });
    next();
  }
  rig.pass();
  assert.deepEqual(ends, ["0", "0", "0", "0", "0"]);
  assert.ok(rig.store("b").most <= 2, String(rig.store("b").most));
});

test("nobody is answered before there is a store, or after it is closed", () => {
  const rig = new Rig(IDS);
  rig.queries("b").close();
  const { last } = rig.readStream("a", "");
  assert.deepEqual(
    last?.missing.map(({ place }) => place.id),
    ["b"],
  );
});
