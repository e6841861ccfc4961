/** The trials of the log find bugs: each of these is planted in a copy of it, and found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { openLog } from "../../src/base/log/index.ts";
import { logPlan } from "../support/base/log/log-plans.ts";
import {
  crashEverywhere,
  failEverywhere,
  fillEverywhere,
  flipEverywhere,
  type OpenLog,
  schedule,
} from "../support/base/log/log-trials.ts";
import { type PlantedBug, withBug, withoutBug } from "./planted-bugs.ts";

/** With the seed below, each bug that schedules find is found by one of the first hundred. */
const SCHEDULES_MAX = process.env["TROBAR_FULL"] === "1" ? 4000 : 500;

type Trial = (open: OpenLog) => void;
type LogDoor = { readonly openLog: typeof openLog };

const DOOR = "src/base/log/index.ts";

const CRASHES: Trial = (open) => crashEverywhere(open, "binary", 20);
const FAILURES: Trial = (open) => failEverywhere(open, "binary", 20);
const FULL: Trial = (open) => fillEverywhere(open, "binary");
const SCHEDULES: Trial = (open) =>
  fc.assert(
    fc.property(logPlan, (plan) => schedule(open, plan)),
    { numRuns: SCHEDULES_MAX, seed: 5, endOnFailure: true },
  );
const FLIPS: Trial = (open) => flipEverywhere(open, "binary", true);

const bugs: readonly (PlantedBug & { readonly foundBy: Trial })[] = [
  {
    name: "commits are answered without a sync",
    file: "base/log/log-segments.ts",
    from: "if (this.#file === null) later(this.#storage, () => done(null));\n    else this.#file.sync(done);",
    to: "later(this.#storage, () => done(null));",
    foundBy: CRASHES,
  },
  {
    name: "commits are answered when the bytes are only written in part",
    file: "base/log/log.ts",
    from: "request.upTo > this.#written",
    to: "request.upTo > this.#written && this.#pending.hasFullChunk",
    foundBy: CRASHES,
  },
  {
    name: "commits asked for while a sync runs share that sync",
    file: "base/log/log.ts",
    from: "const upTo = this.#written;\n    this.#segments.sync((error) => {",
    to: "this.#segments.sync((error) => {\n      const upTo = this.end;",
    foundBy: CRASHES,
  },
  {
    name: "a segment is sealed before its bytes are synced",
    file: "base/log/log.ts",
    from: "this.#sync(() => this.#segments.roll(this.#written, (error) => this.#settle(error)));",
    to: "this.#segments.roll(this.#written, (error) => this.#settle(error));",
    foundBy: CRASHES,
  },
  {
    name: "a torn tail is not cut off",
    file: "base/log/open-log.ts",
    from: "if (cut === null) settle(null);",
    to: "if (torn.from <= torn.to) settle(null);",
    foundBy: CRASHES,
  },
  {
    name: "what opening found is not made durable",
    file: "base/log/open-log.ts",
    from: "file.sync((error) => {\n      if (error !== null) this.#fail(error, file);\n      else this.#sweep(manifest, file, () => this.#recover(last));\n    });",
    to: "this.#sweep(manifest, file, () => this.#recover(last));",
    foundBy: CRASHES,
  },
  {
    name: "every write claims to come after a sync",
    file: "base/log/log.ts",
    from: "if (this.#committed === this.#written) this.#pending.markFirstAfterSync();",
    to: "this.#pending.markFirstAfterSync();",
    foundBy: CRASHES,
  },
  {
    name: "a cut is not synced",
    file: "base/log/log-segments.ts",
    from: "file.sync((error) => {\n          if (error === null) done(null);",
    to: "later(this.#storage, () => {\n          const error = null;\n          if (error === null) done(null);",
    foundBy: CRASHES,
  },
  {
    name: "files are removed before the manifest stops naming them",
    file: "base/log/log-segments.ts",
    from: "this.#replace(next, (error) => {\n      if (error !== null) done(error);\n      else if (this.#last.lengthBytes === null) remove();",
    to: "if (files.length > 0 && lastSegment(next).lengthBytes === null) {\n      removeFiles(this.#storage, files, () => this.#replace(next, done));\n      return;\n    }\n    this.#replace(next, (error) => {\n      if (error !== null) done(error);\n      else if (this.#last.lengthBytes === null) remove();",
    foundBy: CRASHES,
  },
  {
    name: "ids of segments are used again",
    file: "base/log/manifest.ts",
    from: "return { ...manifest, nextId: manifest.nextId + 1, segments };",
    to: "return { ...manifest, nextId: 2, segments };",
    foundBy: CRASHES,
  },
  {
    name: "after a failed sync the log goes on",
    file: "base/log/log.ts",
    from:
      "this.#break(cause);\n    this.#written = this.#committed;\n" +
      "    this.#segments.salvage(this.#committed, () => this.#rest());",
    to: "this.#stall(cause);\n    this.#rest();",
    foundBy: FAILURES,
  },
  {
    name: "after a failed sync the bytes of unknown fate are left",
    file: "base/log/log.ts",
    from: "this.#segments.salvage(this.#committed, () => this.#rest());",
    to: "this.#rest();",
    foundBy: FAILURES,
  },
  {
    name: "a failed opening leaves the file open",
    file: "base/log/open-log.ts",
    from: "if (file === null) this.#done(error, undefined);\n    else file.close(() => this.#done(error, undefined));",
    to: "if (file === null || file.name) this.#done(error, undefined);",
    foundBy: FAILURES,
  },
  {
    name: "what a full disk took of a write is not cut back",
    file: "base/log/log-segments.ts",
    from: 'if (error?.code !== "STORAGE_FULL") done(error);\n      else file.cut(file.lengthBytes, (cutError) => done(cutError ?? error));',
    to: "done(error);",
    foundBy: FULL,
  },
  {
    name: "frames are forgotten when the disk is full",
    file: "base/log/log.ts",
    from: "if (error === null) this.#wrote(pieces);",
    to: "this.#wrote(pieces);",
    foundBy: FULL,
  },
  {
    name: "the checksum is not checked",
    file: "base/log/binary-framing.ts",
    from: "return sum === view.getUint32(at + 6, true) ? frameBytes : 0;",
    to: "return sum >= 0 ? frameBytes : 0;",
    foundBy: FLIPS,
  },
  {
    name: "the checksum of a line is not checked",
    file: "base/log/line-framing.ts",
    from: "return sum === numberAt(bytes, end - SUM_DIGITS - 1, SUM_DIGITS) ? end - at : 0;",
    to: "return sum >= 0 ? end - at : 0;",
    foundBy: (open) => flipEverywhere(open, "line", true),
  },
  {
    name: "a reader does not look for frames behind damage",
    file: "base/log/binary-framing.ts",
    from: "return at + 1;",
    to: "return _window.bytes.length + 0 * at;",
    foundBy: FLIPS,
  },
  {
    name: "damage is taken for a torn tail",
    file: "base/log/torn-tail.ts",
    from: "if (!batch.isFirstAfterSync(index)) continue;",
    to: "if (batch.count > 0) continue;",
    foundBy: FLIPS,
  },
  {
    name: "a reader is shown frames that are written but not committed",
    file: "base/log/log.ts",
    from: "this.#segments.at(position, this.#committed)",
    to: "this.#segments.at(position, this.#written)",
    foundBy: SCHEDULES,
  },
  {
    name: "a cut forgets only what is in files",
    file: "base/log/log.ts",
    from: "this.#endAt(position);\n      later(storage, () => answer(null));",
    to: "later(storage, () => answer(null));",
    foundBy: SCHEDULES,
  },
  {
    name: "the manifest has only one copy",
    file: "base/log/manifest-text.ts",
    from: "for (const line of lines) {",
    to: "for (const line of lines.slice(0, 1)) {",
    foundBy: FLIPS,
  },
];

for (const bug of bugs) {
  test(`the trials notice when ${bug.name}`, async () => {
    const door = await withBug<LogDoor>(DOOR, bug);
    let found: unknown = null;
    try {
      bug.foundBy(door.openLog);
    } catch (error) {
      found = error;
    }
    assert.ok(found !== null, "nobody noticed");
    assert.ok(!(found instanceof SyntaxError || found instanceof TypeError), String(found));
  });
}

for (const [foundBy, [bug]] of Map.groupBy(bugs, (one) => one.foundBy)) {
  test(`the trial which notices that ${bug?.name} finds nothing without it`, async () => {
    const door = await withBug<LogDoor>(DOOR, withoutBug(bug ?? assert.fail()));
    foundBy(door.openLog);
  });
}
