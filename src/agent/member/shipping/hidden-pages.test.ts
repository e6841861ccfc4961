import assert from "node:assert/strict";
import { test } from "node:test";
import { IndexRig } from "../../../../test/support/store/index-rig.ts";
import { fingerprintOf } from "../../../../test/support/store/indexed-pages.ts";
import { EMPTY_TABLE, type KeyTable, openRunTable } from "../../../base/runs/index.ts";
import { type Place, placeText } from "../../../cluster/messages/index.ts";
import { type HiddenMarks, HiddenPages, PLACE_BYTES } from "./hidden-pages.ts";

const B: Place = { id: "b", generation: 1 };
const C: Place = { id: "c", generation: 7 };

class Rig extends IndexRig {
  readonly failures: string[] = [];
  hidden = this.open(null);

  open(marks: HiddenMarks | null): HiddenPages {
    const { storage, time: clock } = this.machine;
    const table = this.machine.result<KeyTable>((done) =>
      openRunTable(
        {
          ...{ storage, background: this.background, folder: "hidden", valueBytes: PLACE_BYTES },
          ...{ memoryBytes: 2048, marks: marks?.table ?? EMPTY_TABLE, fillsFilter: true },
          report: ({ code }) => this.failures.push(code),
        },
        done,
      ),
    );
    return new HiddenPages({
      ...{ clock, table, places: marks?.places ?? [], index: this.writer, flush: this.flush },
      fingerprintOf: (url) => (url.includes("odd") ? null : fingerprintOf(url)),
      failed: ({ code }) => this.failures.push(code),
    });
  }

  hide(path: string, toward: Place): void {
    this.hidden.hide(fingerprintOf(urlOf(path)), toward);
    this.machine.time.settle();
  }

  /** Where the visible copies of these pages are; `here` for ours. */
  where(...paths: string[]): string {
    const found: string[] = [];
    for (const [at, path] of paths.entries()) {
      this.hidden.hiddenBy(fingerprintOf(urlOf(path)), (_error, place = null) => {
        found[at] = place === null ? "here" : placeText(place);
      });
    }
    this.machine.time.settle();
    return found.join(" ");
  }

  show(toward: Place): string {
    const shown: string[] = [];
    const code = this.machine.code((done) =>
      this.hidden.show(toward, ({ url }) => shown.push(url.slice(urlOf("").length)), done),
    );
    return code === "good" ? shown.join(" ") : code;
  }
}

function urlOf(path: string): string {
  return `https://a.example/${path}`;
}

test("C1: pages are hidden toward the place that has the visible copy, and shown when it is given up", () => {
  const rig = new Rig("hidden pages");
  for (const path of ["1", "2", "3", "4", "odd"]) rig.add("a.example", path);
  rig.hide("1", B);
  rig.hide("2", C);
  rig.hide("3", B);
  rig.hide("5", B);
  assert.equal(rig.where("1", "2", "3", "4", "5"), "b.1 c.7 b.1 here here");
  assert.equal(rig.show({ id: "d", generation: 1 }), "", "nothing is read for it");
  assert.equal(rig.flushes, 0);
  assert.equal(rig.show(B), "1 3");
  assert.equal(rig.where("1", "2", "3"), "here c.7 here");
  assert.equal(rig.show(B), "");
  rig.hide("1", C);
  assert.equal(rig.show(C), "1 2");
  assert.equal(rig.hidden.isBusy, false);
});

test("no checkpoint is taken while pages are being shown, however many were hidden before", () => {
  const rig = new Rig("hidden pages, busy");
  for (const path of ["1", "2"]) rig.add("a.example", path);
  rig.hide("1", B);
  rig.hide("2", B);
  let isOver = false;
  rig.hidden.show(
    B,
    () => undefined,
    () => {
      isOver = true;
    },
  );
  assert.equal(rig.hidden.isBusy, !isOver);
  rig.machine.time.settle();
  assert.deepEqual([isOver, rig.hidden.isBusy], [true, false]);
});

test("what a checkpoint has is there again; what came after it is not", () => {
  const rig = new Rig("hidden pages, checkpoints");
  for (let path = 0; path < 3000; path += 1) rig.add("a.example", `${path}`);
  for (let path = 0; path < 3000; path += 3) rig.hide(`${path}`, path % 2 === 0 ? B : C);
  const marks = rig.machine.result<HiddenMarks>((done) => rig.hidden.checkpoint(done));
  rig.hidden.keepOnly(marks);
  rig.hide("1", B);
  rig.hidden = rig.open(JSON.parse(JSON.stringify(marks)));
  assert.equal(rig.where("0", "1", "2", "3", "2997"), "b.1 here here c.7 c.7");
  const shown = rig.show(B).split(" ");
  assert.equal(shown.length, 500);
  assert.equal(rig.where("0", "3"), "here c.7");
  assert.deepEqual(rig.failures, []);
});

test("whoever wants pages shown is told why they cannot be", () => {
  const rig = new Rig("hidden pages, faults");
  rig.add("a.example", "1");
  rig.hide("1", B);
  rig.breakDisk();
  assert.equal(rig.show(B), "DATABASE_FAILED");
  assert.equal(rig.hidden.isBusy, false);
});
