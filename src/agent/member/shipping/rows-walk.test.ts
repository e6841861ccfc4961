/** A way through the rows of an index on a simulated disk. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { IndexRig } from "../../../../test/support/store/index-rig.ts";
import { fingerprintOf, pageAt } from "../../../../test/support/store/indexed-pages.ts";
import type { Place } from "../../../cluster/messages/index.ts";
import type { IsWanted, StoredPage } from "../../../cluster/pages/index.ts";
import { ticketIn } from "../../../holdings/index.ts";
import { RowsWalk } from "./rows-walk.ts";

const OTHER: Place = { id: "other", generation: 2 };

class Rig extends IndexRig {
  readonly hidden = new Map<number, Place>();
  readonly walk = new RowsWalk({
    ...{ clock: this.machine.time, index: this.writer, flush: this.flush },
    hidden: { hiddenBy: ({ low }, done) => done(null, this.hidden.get(low) ?? null) },
    fingerprintOf: (url) => (url.includes("odd") ? null : fingerprintOf(url)),
  });

  async next(after: number, isWanted: IsWanted = () => true): Promise<StoredPage | null> {
    let answer: StoredPage | null | undefined;
    void this.walk.next(isWanted, after).then((page) => {
      answer = page;
    });
    while (answer === undefined) {
      this.machine.time.step();
      await new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));
    }
    return answer;
  }

  async all(isWanted?: IsWanted): Promise<string[]> {
    const found: string[] = [];
    for (let page = await this.next(-1, isWanted); page !== null; ) {
      found.push(ticketIn(page.entry).url.slice("https://".length));
      page = await this.next(page.position, isWanted);
    }
    return found;
  }

  /** Reserves a number; what is returned gives the page its row. */
  begin(host: string, path: string): () => void {
    const url = `https://${host}/${path}`;
    let number = 0;
    this.writer.reserve(fingerprintOf(url), url, (_error, reserved = 0) => {
      number = reserved;
    });
    return () => {
      const batch = this.writer.expect();
      this.writer.add(batch, number, pageAt(path, { url, key: url, host }));
      this.writer.settle(batch);
    };
  }
}

test("all pages are met in their order, those that were logged just now too, and odd ones left out", async () => {
  const rig = new Rig("rows walk");
  for (let at = 0; at < 250; at += 1) rig.add(`h${at % 3}.example`, `${at}`);
  rig.add("h0.example", "odd");
  const all = await rig.all();
  assert.equal(all.length, 250);
  assert.deepEqual(all.slice(0, 4), [
    ...["h0.example/0", "h1.example/1", "h2.example/2", "h0.example/3"],
  ]);
  assert.equal(all.at(-1), "h0.example/249");
  rig.add("h1.example", "new");
  const [last] = (await rig.all()).slice(-1);
  assert.equal(last, "h1.example/new");
});

test("whoever asks decides by host, and by the place that shows another copy", async () => {
  const rig = new Rig("rows walk");
  for (const host of ["a", "b", "c"]) rig.add(`${host}.example`, "1");
  rig.hidden.set(fingerprintOf("https://b.example/1").low, OTHER);
  const seen: string[] = [];
  const found = await rig.all((host, hiddenBy) => {
    seen.push(`${host} ${hiddenBy?.id ?? "-"}`);
    return host !== "a.example" && hiddenBy === null;
  });
  assert.deepEqual(found, ["c.example/1"]);
  assert.deepEqual(seen, ["a.example -", "b.example other", "c.example -"]);
});

test("a page that has its number and no row yet is waited for, and nothing behind it is met before", async () => {
  const rig = new Rig("rows walk");
  rig.add("a.example", "1");
  const finish = rig.begin("a.example", "2");
  rig.add("a.example", "3");
  const met: string[] = [];
  const walk = rig.all().then((found) => met.push(...found));
  rig.machine.time.after(500, finish);
  await walk;
  assert.deepEqual(met, ["a.example/1", "a.example/2", "a.example/3"]);
  assert.ok(rig.machine.time.nowMs() >= 500);
});

test("pages that come all the time do not put off the end for whoever wants none of them", async () => {
  const rig = new Rig("rows walk");
  rig.add("a.example", "1");
  let begun = 0;
  const begin = (): void => {
    begun += 1;
    if (begun > 1000) return;
    rig.machine.time.after(60, rig.begin("b.example", `${begun}`));
    rig.machine.time.after(1, begin);
  };
  begin();
  assert.deepEqual(await rig.all((host) => host === "a.example"), ["a.example/1"]);
  assert.ok(begun < 1000, `${begun} pages came`);
});
