import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  Kernel,
  type Life,
  SimBackground,
  SimCluster,
  SimDisk,
} from "../../lab/simulator/index.ts";
import type { UrlEntry } from "../delivery/index.ts";
import { type Place, placeText, samePlace } from "../messages/index.ts";
import { type Claimed, type Claims, type ClaimsMarks, openClaims } from "./claims.ts";

const PLACES: readonly Place[] = ["a", "b", "c"].map((id) => ({ id, generation: 1 }));
const LIMITS = { stepsMax: 100_000, virtualMsMax: 1_000_000 };

function entryOf(number: number): UrlEntry {
  const host = `h${number % 3}.example`;
  const record = new TextEncoder().encode(`http://${host}/${number}`);
  return { kind: "url", host, high: number * 7919, low: number, depth: 0, holders: [], record };
}

/** Claims on a disk that can lose its power, beside what they should be. */
class Bench {
  readonly model = new Map<number, readonly Place[]>();
  readonly #kernel = new Kernel({ seed: "claims" });
  readonly #cluster = new SimCluster(this.#kernel, {});
  readonly #disk = new SimDisk(this.#kernel.random.fork("disk"));
  #saved: { marks: ClaimsMarks; model: ReadonlyMap<number, readonly Place[]> } | null = null;
  #life: Life | null = null;
  readonly #keepsDepths: boolean;
  readonly reports: string[] = [];
  claims: Claims;

  constructor(keepsDepths = true) {
    this.#keepsDepths = keepsDepths;
    this.#cluster.add("self", (life) => {
      this.#life = life;
    });
    this.claims = this.#open(null);
  }

  wait<Value>(begin: (done: (error: Error | null, value: Value) => void) => void): Value {
    let got: { readonly value: Value } | null = null;
    begin((error, value) => {
      assert.ifError(error);
      got = { value };
    });
    this.#kernel.runUntil(() => got !== null, LIMITS);
    assert.ok(got !== null, "it is answered");
    return (got as { readonly value: Value }).value;
  }

  #open(marks: ClaimsMarks | null): Claims {
    const { clock, random } = this.#life as Life;
    const fail = (error: Error): never => assert.fail(error);
    const storage = this.#disk.mount(clock);
    const background = new SimBackground({ clock, random, disk: this.#disk });
    return this.wait((done) =>
      openClaims(
        {
          ...{ clock, storage, random, background, memoryBytes: 500, segmentBytesMax: 2000 },
          report: ({ code }) => void this.reports.push(code),
          ...{ fail, keepsDepths: this.#keepsDepths },
        },
        marks,
        (error, claims) => done(error, claims as Claims),
      ),
    );
  }

  add(number: number, holders: readonly Place[]): void {
    this.wait((done) => this.claims.add(entryOf(number), holders, () => done(null, null)));
    const known = this.model.get(number) ?? [];
    const fresh = holders.filter((place) => !known.some((one) => samePlace(one, place)));
    this.model.set(number, [...known, ...fresh]);
  }

  strike(place: Place): void {
    const free: number[] = [];
    this.wait((done) =>
      this.claims.strike(
        place,
        (entry) => free.push(entry.low),
        (error) => done(error, null),
      ),
    );
    const expected: number[] = [];
    for (const [number, holders] of this.model) {
      const left = holders.filter((one) => !samePlace(one, place));
      if (left.length > 0) this.model.set(number, left);
      else {
        this.model.delete(number);
        expected.push(number);
      }
    }
    assert.deepEqual(free.sort(), expected.sort(), "URLs that nobody has any more");
  }

  take(host: string): void {
    const taken = new Map<number, readonly Place[]>();
    this.wait((done) =>
      this.claims.take(
        (one) => one === host,
        (entry) => taken.set(entry.low, entry.holders),
        (error) => done(error, null),
      ),
    );
    const expected = [...this.model].filter(([number]) => entryOf(number).host === host);
    for (const [number] of expected) this.model.delete(number);
    assert.deepEqual(texts(taken), texts(new Map(expected)), "claims that go with a host");
  }

  /** Records a checkpoint; `meanwhile` comes after its moment. */
  save(meanwhile: () => void = () => undefined): void {
    const model = new Map(this.model);
    const marks = this.wait<ClaimsMarks>((done) =>
      this.claims.checkpoint((error, value) => done(error, value as ClaimsMarks)),
    );
    this.#saved = { marks: structuredClone(marks), model };
    meanwhile();
    this.claims.recorded(marks);
    this.check();
  }

  crash(): void {
    this.#cluster.takeDown("self");
    this.#disk.crash();
    this.#cluster.node("self").start();
    this.claims = this.#open(this.#saved?.marks ?? null);
    this.model.clear();
    for (const [number, holders] of this.#saved?.model ?? []) this.model.set(number, holders);
  }

  setFull(isFull: boolean): void {
    this.#disk.isFullFor = () => isFull;
  }

  /** Lets the background finish. */
  rest(): void {
    this.#kernel.runUntil(() => false, LIMITS);
  }

  check(): void {
    assert.deepEqual(this.reports, [], "nothing is wrong with the disk");
    assert.equal(this.claims.count, this.model.size);
    const held = new Map<number, readonly Place[]>();
    for (let number = 0; number < 30; number += 1) {
      const holders = this.wait<readonly Place[]>((done) =>
        this.claims.holdersOf(entryOf(number), (places) => done(null, places)),
      );
      if (holders.length > 0) held.set(number, holders);
    }
    assert.deepEqual(texts(held), texts(this.model));
  }
}

function texts(holders: ReadonlyMap<number, readonly Place[]>): readonly string[] {
  return Array.from(
    holders,
    ([number, places]) => `${number} ${places.map(placeText).sort()}`,
  ).sort();
}

const place = fc.constantFrom(...PLACES);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("add"), number: fc.nat(29), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("strike"), number: fc.nat(29), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("take"), number: fc.nat(29), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("save"), number: fc.nat(29), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash"), number: fc.nat(29), place }) },
);

test("G1, U2: claims are a map from pages to places, as the last checkpoint has them", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bench = new Bench();
      for (const { kind, number, place: one } of steps) {
        if (kind === "add") bench.add(number, number % 5 === 0 ? [one, PLACES[0] as Place] : [one]);
        else if (kind === "strike") bench.strike(one);
        else if (kind === "take") bench.take(entryOf(number).host);
        else if (kind === "save") bench.save();
        else bench.crash();
      }
      bench.check();
    }),
    { numRuns: 60 },
  );
});

test("what a place claimed leaves the disk when nothing of it counts in a checkpoint", () => {
  const bench = new Bench();
  const [a, b] = PLACES as [Place, Place, Place];
  bench.add(1, [a]);
  bench.add(2, [b]);
  bench.save();
  bench.strike(a);
  bench.save();
  bench.rest();
  assert.deepEqual(bench.claims.places(), [b]);
});

test("G1: what a place claims while a checkpoint is recorded stays on the disk", () => {
  const bench = new Bench();
  const [a] = PLACES as [Place, Place, Place];
  bench.add(1, [a]);
  bench.strike(a);
  bench.save(() => {
    bench.add(2, [a]);
    // Reads its log, so that what it claims is there.
    bench.take("no.example");
  });
  bench.rest();
  bench.strike(a);
});

test("G1, D1: what is struck while a checkpoint is recorded is struck again after a crash", () => {
  const bench = new Bench();
  const [a] = PLACES as [Place, Place, Place];
  bench.add(1, [a]);
  bench.save(() => bench.strike(a));
  bench.rest();
  bench.crash();
  bench.strike(a);
});

test("G1: what a place claimed is struck whole, also if the disk was full when it came", () => {
  const bench = new Bench();
  const [a] = PLACES as [Place, Place, Place];
  bench.setFull(true);
  bench.add(1, [a]);
  const free: number[] = [];
  let isOver = false;
  bench.claims.strike(
    a,
    ({ low }) => free.push(low),
    (error) => {
      isOver = error === null;
    },
  );
  bench.rest();
  assert.deepEqual([isOver, free], [false, []]);
  bench.setFull(false);
  bench.rest();
  assert.deepEqual([isOver, free], [true, [1]]);
  assert.deepEqual(bench.reports, ["STORAGE_FULL"]);
});

test("claims take no more memory when there are more of them", () => {
  const bench = new Bench();
  const [a] = PLACES as [Place, Place, Place];
  for (let number = 0; number < 3000; number += 1) {
    bench.add(number, [a]);
    if (number % 50 === 0) bench.rest();
  }
  assert.equal(bench.claims.count, 3000);
  assert.equal(bench.claims.waiting, 0);
  assert.ok(bench.claims.memoryBytes < 30_000, `${bench.claims.memoryBytes} bytes`);
});

test("U6: holders that count from a greater depth than is known are named, once; the least is kept", () => {
  const bench = new Bench();
  const [a, b] = PLACES as [Place, Place];
  const { claims } = bench;
  const add = (depth: number, holder: Place): readonly Place[] =>
    bench.wait((done) =>
      claims.add({ ...entryOf(1), depth }, [holder], ({ farther }) => done(null, farther)),
    );
  const lower = (depth: number): readonly Place[] =>
    bench.wait((done) => claims.lower(entryOf(1), depth, (farther) => done(null, farther)));
  assert.deepEqual(lower(0), [], "nobody has it");
  assert.deepEqual(add(4, a), []);
  assert.deepEqual(lower(4), []);
  assert.deepEqual(lower(3), [a]);
  assert.deepEqual(lower(3), [], "all are told");
  assert.deepEqual(add(5, b), [b], "a claim that comes later than the shorter way");
  assert.deepEqual(add(2, b), [a], "and one that brings it");
  const left: number[] = [];
  bench.wait((done) =>
    claims.take(
      () => true,
      ({ depth }) => left.push(depth),
      (error) => done(error, null),
    ),
  );
  assert.deepEqual(left, [2]);
});

test("U6: without a depth limit depths are not compared, nor kept", () => {
  const bench = new Bench(false);
  const { claims } = bench;
  const [a, b] = PLACES as [Place, Place];
  const add = (number: number, depth: number, holder: Place): Claimed =>
    bench.wait((done) =>
      claims.add({ ...entryOf(number), depth }, [holder], (claimed) => done(null, claimed)),
    );
  for (let depth = 0; depth < 9; depth += 1) add(depth, depth, a);
  assert.deepEqual(add(7, 2, b).farther, []);
  assert.deepEqual(
    bench.wait((done) => claims.lower(entryOf(8), 1, (farther) => done(null, farther))),
    [],
  );
  const marks = bench.wait<ClaimsMarks>((done) =>
    claims.checkpoint((error, value) => done(error, value as ClaimsMarks)),
  );
  assert.equal(marks.sets.sets.length, 2, "those of a, and those of a and b");
  const left = new Map<number, number>();
  bench.wait((done) =>
    claims.strike(
      a,
      ({ low, depth }) => left.set(low, depth),
      (error) => done(error, null),
    ),
  );
  assert.equal(left.get(8), 8, "a URL goes back with its own depth");
});
