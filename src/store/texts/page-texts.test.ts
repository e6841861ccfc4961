import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { MortalClock } from "../../../test/support/lab/simulated-world.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Random } from "../../base/seams/index.ts";
import { SimBackground } from "../../lab/simulator/index.ts";
import { type KeptText, openPageTexts, type PageTexts, type TextPlace, TextView } from "./index.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

/** Texts on a simulated machine; `index` is what rows of a page index would hold. */
class TextRig {
  readonly machine: SimulatedMachine;
  readonly reports: CrawlError[] = [];
  /** Texts whose places are known, and the log's length when they were. */
  readonly index = new Map<string, { readonly text: KeptText; readonly place: TextPlace }>();
  readonly refused: string[] = [];
  end = 0;
  readonly #blockCharacters: number;
  #clock: MortalClock;
  #texts: PageTexts | null = null;

  constructor(seed: number | string, blockCharacters: number) {
    this.machine = new SimulatedMachine(seed);
    this.#clock = new MortalClock(this.machine.time);
    this.#blockCharacters = blockCharacters;
  }

  get texts(): PageTexts {
    assert(this.#texts !== null, "the texts are open");
    return this.#texts;
  }

  open(): void {
    this.#texts = this.machine.result<PageTexts>((done) => this.tryOpen(done));
  }

  tryOpen(done: Parameters<typeof openPageTexts>[1]): void {
    const { storage, disk, random, time } = this.machine;
    this.#clock = new MortalClock(time);
    const background = new SimBackground({ clock: this.#clock, random, disk });
    const failed = (error: CrawlError): void => void this.reports.push(error);
    const place = { storage, background, random, clock: this.#clock, failed, end: this.end };
    openPageTexts({ ...place, blockCharacters: this.#blockCharacters }, done);
  }

  add(text: KeptText): void {
    const texts = this.texts;
    texts.add(text, (place) => {
      if (place === null) this.refused.push(text.url);
      else {
        this.index.set(text.url, { text, place });
        this.end = texts.committed;
        assert.ok(place.block < this.end, "what has a place is durable");
      }
    });
  }

  flush(): void {
    this.machine.result((done) => this.texts.flush(done));
  }

  close(): void {
    this.machine.result((done) => this.texts.close(done));
    this.#texts = null;
  }

  crash(): void {
    this.#clock.die();
    this.machine.crash();
    this.#texts = null;
  }

  /** From the start of a new process, which has read no block yet, or of one that has. */
  textAt(place: TextPlace, url: string, view = new TextView(this.machine.storage)) {
    let found: KeptText | null | undefined;
    let failure: CrawlError | null = null;
    view.textOf(place, url, (error, text) => {
      failure = error;
      found = text;
    });
    this.machine.time.settle();
    assert.equal(failure, null);
    assert(found !== undefined, "it was answered");
    return found;
  }

  /** Compares every text that has a place with what is read there. */
  check(): void {
    const view = new TextView(this.machine.storage);
    for (const [url, { text, place }] of this.index) {
      assert.deepEqual(this.textAt(place, url, view), text);
    }
  }
}

function anyText(random: Random, page: number): KeptText {
  const maybe = (text: string): string => (random.below(2) === 0 ? "" : text);
  const words: [string, number][] = [
    ["__proto__", 1],
    ["häuser", random.below(9)],
  ];
  return {
    ...{ url: `http://a.example/${page}`, title: maybe("A\ttitle\n"), charset: "utf-8" },
    ...{
      description: maybe("é \u2028 \ud800x"),
      language: maybe("en"),
      canonical: maybe("http://b/"),
    },
    alternates: random.below(3) > 0 ? [] : [{ url: "http://c/", language: "de", type: "" }],
    ...{ published: maybe("2026-01-02"), modified: maybe("2026-01-03T00:00:00.000Z") },
    types: random.below(3) > 0 ? [] : ["Article", "Person"],
    text: "word \u0000\n".repeat(random.below(200)),
    words: random.below(2) === 0 ? null : new Map(words),
  };
}

test("every text is found at its place, through flushes, openings and crashes", () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 60 }), (seed, steps) => {
      const random = new SeededRandom(seed);
      const rig = new TextRig(seed, 1 + random.below(4000));
      rig.open();
      for (let step = 0; step < steps; step++) {
        const choice = random.below(14);
        if (choice < 10) rig.add(anyText(random, step));
        else if (choice === 10) rig.machine.time.settle();
        else {
          if (choice !== 13) rig.flush();
          if (choice === 12) rig.close();
          else if (choice === 13) rig.crash();
          if (choice > 11) rig.open();
          rig.check();
        }
      }
      rig.flush();
      rig.check();
      assert.deepEqual([rig.reports, rig.refused], [[], []]);
    }),
    { numRuns: isFull ? 400 : 20 },
  );
});

test("after a crash at any moment, a text that had its place is there", () => {
  let isOver = false;
  for (let events = 0; !isOver; events++) {
    const rig = new TextRig(events, 500);
    const random = new SeededRandom(7);
    rig.open();
    for (let page = 0; page < 10; page++) rig.add(anyText(random, page));
    rig.flush();
    assert.equal([...rig.index].length, 10);
    for (let page = 10; page < 20; page++) rig.add(anyText(random, page));
    rig.texts.flush(() => {
      isOver = true;
    });
    for (let event = 0; event < events && rig.machine.time.step(); event++);
    rig.crash();
    rig.open();
    assert.ok(rig.index.size === 20 || !isOver);
    rig.add(anyText(random, 30));
    rig.flush();
    rig.check();
  }
});

test("a full disk loses no text: they get their places when there is room", () => {
  const rig = new TextRig("full", 200);
  const random = new SeededRandom("full");
  rig.open();
  rig.machine.disk.capacityBytes = 500;
  for (let page = 0; page < 40; page++) rig.add(anyText(random, page));
  const isFullAgain = (): void => {
    assert.equal(
      rig.machine.code((done) => rig.texts.flush(done)),
      "STORAGE_FULL",
    );
  };
  isFullAgain();
  isFullAgain();
  assert.deepEqual(
    rig.reports.map(({ code }) => code),
    ["STORAGE_FULL"],
    "one problem is told once",
  );
  assert.equal(rig.texts.hasRoom, false);
  let hasRoom = false;
  rig.texts.whenRoom(() => {
    hasRoom = true;
  });
  rig.machine.disk.capacityBytes = Number.POSITIVE_INFINITY;
  rig.flush();
  rig.machine.time.settle();
  assert.deepEqual([hasRoom, rig.index.size, rig.refused], [true, 40, []]);
  rig.check();
});

test("texts that are not written yet fill the room, which comes back however many there were", () => {
  const rig = new TextRig("room", 100);
  rig.open();
  const text = anyText(new SeededRandom(1), 1);
  let memoryBytes = 0;
  for (let round = 0; round < 3; round++) {
    let added = 0;
    for (; added < 1000 && rig.texts.hasRoom; added++) rig.add(text);
    assert.ok(added > 1 && added < 1000, `${added} texts before round ${round} has no room`);
    let hasRoom = false;
    rig.texts.whenRoom(() => {
      hasRoom = true;
    });
    rig.flush();
    assert.ok(hasRoom);
    if (round === 0) memoryBytes = rig.texts.memoryBytes;
    assert.equal(rig.texts.memoryBytes, memoryBytes);
  }
});

test("a reader keeps the blocks that it has read last, and a few only", () => {
  const rig = new TextRig("blocks", 100);
  rig.open();
  for (let page = 0; page < 9; page++) rig.add(anyText(new SeededRandom(page), page));
  rig.flush();
  const view = new TextView(rig.machine.storage);
  const places = [...rig.index.values()].map(({ text, place }) => ({ place, url: text.url }));
  for (const { place, url } of places) assert.notEqual(rig.textAt(place, url, view), null);
  // What is kept is answered inside the call.
  const isKept = ({ place, url }: { place: TextPlace; url: string }): boolean => {
    let isAnswered = false;
    view.textOf(place, url, () => {
      isAnswered = true;
    });
    return isAnswered;
  };
  assert.deepEqual(places.slice(-2).map(isKept), [true, true]);
  assert.deepEqual(places.slice(0, 4).map(isKept), [false, false, false, false]);
});

test("closing answers every text, also those that were never flushed", () => {
  const rig = new TextRig("close", 1_000_000);
  rig.open();
  for (let page = 0; page < 3; page++) rig.add(anyText(new SeededRandom(page), page));
  rig.close();
  assert.deepEqual([rig.refused.length, rig.index.size], [3, 0]);
});

test("the text of one page is not found under the URL of another", () => {
  const rig = new TextRig("other", 1000);
  rig.open();
  rig.add(anyText(new SeededRandom(1), 1));
  rig.flush();
  const { place } = rig.index.get("http://a.example/1") ?? assert.fail("it was added");
  assert.equal(rig.textAt(place, "http://a.example/2"), null);
  assert.notEqual(rig.textAt(place, "http://a.example/1"), null);
});

test("damaged texts are told: a missing block, a missing line, a log that is too short", () => {
  const rig = new TextRig("damage", 100);
  rig.open();
  for (let page = 0; page < 5; page++) rig.add(anyText(new SeededRandom(page), page));
  rig.flush();
  rig.close();
  const codeAt = (place: TextPlace): string | null =>
    rig.machine.code((done) =>
      new TextView(rig.machine.storage).textOf(place, "http://a.example/0", done),
    );
  const { place } = rig.index.get("http://a.example/0") ?? assert.fail("it was added");
  assert.equal(codeAt({ ...place, entry: 900 }), "TEXTS_DAMAGED");
  assert.equal(codeAt({ ...place, block: rig.end + 5 }), "TEXTS_DAMAGED");
  rig.end += 1;
  assert.equal(
    rig.machine.code((done) => rig.tryOpen(done)),
    "TEXTS_DAMAGED",
  );
  for (const name of ["texts/pages.log", "texts/pages.manifest"]) {
    rig.machine.result((done) => rig.machine.storage.remove(name, done));
  }
  rig.open();
  rig.add(anyText(new SeededRandom(1), 77));
  rig.flush();
});
