/**
 * What every `Database` must do while nothing crashes: keep rows and marks exactly, apply batches
 * whole and in order, and refuse what does not fit. What crashes leave behind is tested where they
 * can be made: by the simulator, and by killing real processes.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Schema } from "../../base/database/index.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Batch, Row } from "../../base/seams/index.ts";
import { errorOf, succeed } from "./ask.ts";
import { DatabaseModel, randomBatch } from "./database-model.ts";
import { OpenDatabase, type Opening } from "./open-database.ts";

const SCHEMA: Schema = {
  pages: {
    key: "url",
    columns: { url: "text", status: "integer", score: "real", digest: "blob", title: "text" },
  },
  hosts: { key: "number", columns: { number: "integer", name: "text" } },
  seen: { key: "url", columns: { url: "text" } },
};

const PAGE: Row = { url: "https://a.example/", status: 200, score: 0.5, digest: null, title: "A" };

export function databaseSuite(name: string, open: Opening): void {
  describe(`${name} is a database`, () => {
    testValues(open);
    testBatches(open);
    testScans(open);
    testOpening(open);
    testMisfits(open);
    testFullness(open);
    testModel(open);
  });
}

function testValues(open: Opening): void {
  const variants: readonly (readonly [string, Partial<Row>])[] = [
    ["nulls", { status: null, score: null, digest: null, title: null }],
    ["the greatest integers", { status: Number.MAX_SAFE_INTEGER, score: -1.5e300 }],
    ["the least integers", { status: Number.MIN_SAFE_INTEGER, score: Number.MIN_VALUE }],
    ["whole numbers in a column of reals", { score: 7 }],
    ["empty text and bytes", { title: "", digest: new Uint8Array(0) }],
    ["every byte", { digest: Uint8Array.from({ length: 256 }, (_, index) => index) }],
    ["text of all planes", { title: "a\u0000b \u00e9 \uffff \u{1f980} ' \" ; --" }],
    ["a long text", { title: "x".repeat(100_000) }],
  ];
  for (const [what, values] of variants) {
    test(`a row with ${what} comes back as it was`, async () => {
      await using store = await OpenDatabase.of(open, { schema: SCHEMA });
      const row = { ...PAGE, ...values } as Row;
      await store.commit({ put: [{ table: "pages", row }] });
      assert.deepEqual(await store.get("pages", "https://a.example/"), row);
      assert.deepEqual(await store.scan("pages"), [row]);
    });
  }

  test("minus zero comes back as zero", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    const row = { ...PAGE, status: -0, score: -0 };
    await store.commit({ put: [{ table: "pages", row }], marks: { zero: -0 } });
    assert.deepEqual(await store.get("pages", PAGE["url"] as string), {
      ...PAGE,
      status: 0,
      score: 0,
    });
    assert.deepEqual(await store.marks(), { zero: 0 });
  });

  test("a row that is not there is null", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    assert.equal(await store.get("pages", "https://a.example/"), null);
    assert.equal(await store.get("hosts", 1), null);
  });

  test("rows handed out belong to the caller", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    const digest = Uint8Array.of(1, 2, 3);
    await store.commit({ put: [{ table: "pages", row: { ...PAGE, digest } }] });
    digest.fill(0);
    const first = await store.get("pages", "https://a.example/");
    assert(first?.["digest"] instanceof Uint8Array);
    first["digest"].fill(9);
    const second = await store.get("pages", "https://a.example/");
    assert.deepEqual(second?.["digest"], Uint8Array.of(1, 2, 3));
  });

  test("marks are set, replaced and removed", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    await store.commit({ marks: { "warc/a.warc": 2 ** 40, name: "x", part: 0.25, gone: 1 } });
    await store.commit({ marks: { name: 3, gone: null, never: null } });
    assert.deepEqual(await store.marks(), { "warc/a.warc": 2 ** 40, name: 3, part: 0.25 });
  });
}

function testBatches(open: Opening): void {
  test("a put replaces the whole row of its key", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    await store.commit({ put: [{ table: "pages", row: PAGE }] });
    const row = { ...PAGE, status: 404, title: null };
    await store.commit({ put: [{ table: "pages", row }] });
    assert.deepEqual(await store.scan("pages"), [row]);
  });

  test("within a batch removals come first and later puts win", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    await store.commit({ put: [host(1, "old"), host(2, "old")] });
    await store.commit({
      put: [host(1, "first"), host(1, "second")],
      remove: [
        { table: "hosts", key: 1 },
        { table: "hosts", key: 2 },
        { table: "hosts", key: 3 },
      ],
    });
    assert.deepEqual(await store.scan("hosts"), [host(1, "second").row]);
  });

  test("a batch may be empty, and a table may have nothing but its key", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    await store.commit({});
    const put = [{ table: "seen", row: { url: "u" } }];
    await store.commit({ put });
    await store.commit({ put });
    assert.deepEqual(await store.scan("seen"), [{ url: "u" }]);
  });

  test("commits take effect in the order of the calls, even if none is awaited", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    const answered: number[] = [];
    await store.whenAll(50, (number, done) => {
      const batch = { put: [host(7, `commit ${number}`)], marks: { last: number } };
      store.database.commit(batch, (error) => {
        answered.push(number);
        done(error);
      });
    });
    assert.deepEqual(await store.get("hosts", 7), host(7, "commit 49").row);
    assert.deepEqual(await store.marks(), { last: 49 });
    assert.equal(new Set(answered).size, 50);
  });

  test("ten thousand rows fit into one batch", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    const put = Array.from({ length: 10_000 }, (_, number) => host(number, `host ${number}`));
    await store.commit({ put });
    const rows = await store.scan("hosts", 4_999, 20_000);
    assert.equal(rows.length, 5_000);
    assert.deepEqual(rows.at(-1), host(9_999, "host 9999").row);
  });
}

function testScans(open: Opening): void {
  test("integers are scanned in the order of their values", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    const numbers = [10, -5, 9, 0, Number.MAX_SAFE_INTEGER, 2 ** 40, -(2 ** 40)];
    await store.commit({ put: numbers.map((number) => host(number, "h")) });
    const found = (await store.scan("hosts")).map((row) => row["number"]);
    assert.deepEqual(
      found,
      numbers.toSorted((one, other) => one - other),
    );
  });

  test("text is scanned in the order of its UTF-8 bytes", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    const words = ["", "A", "a", "aa", "b", "\u00e9", "\ud7ff", "\ue000", "\uffff", "\u{1f980}"];
    const put = words.toReversed().map((url) => ({ table: "seen", row: { url } }));
    await store.commit({ put });
    const found = (await store.scan("seen")).map((row) => row["url"]);
    assert.deepEqual(found, words);
  });

  test("a scan begins after a key, present or not, and ends at its limit", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    await store.commit({ put: [10, 20, 30, 40].map((number) => host(number, "h")) });
    const numbers = async (after: number | null, limit: number) =>
      (await store.scan("hosts", after, limit)).map((row) => row["number"]);
    assert.deepEqual(await numbers(null, 2), [10, 20]);
    assert.deepEqual(await numbers(20, 2), [30, 40]);
    assert.deepEqual(await numbers(25, 1), [30]);
    assert.deepEqual(await numbers(40, 2), []);
  });
}

function testOpening(open: Opening): void {
  test("committed rows are there when the database is opened again", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    await store.commit({ put: [host(1, "kept")], marks: { length: 12 } });
    await store.reopen({ schema: SCHEMA });
    assert.deepEqual(await store.scan("hosts"), [host(1, "kept").row]);
    assert.deepEqual(await store.marks(), { length: 12 });
  });

  test("closing ends after all earlier calls", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    const asked = store.database;
    let answers = 0;
    await succeed(store.world, (done) => {
      for (let number = 0; number < 20; number += 1) {
        asked.commit({ put: [host(number, "kept")] }, () => {
          answers += 1;
        });
      }
      asked.close(done);
    });
    assert.equal(answers, 20);
    await store.open({ schema: SCHEMA });
    assert.equal((await store.scan("hosts")).length, 20);
  });

  test("a table that is new to the database is added to it", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    await store.commit({ put: [host(1, "kept")] });
    const schema: Schema = { ...SCHEMA, links: { key: "id", columns: { id: "integer" } } };
    await store.reopen({ schema });
    await store.commit({ put: [{ table: "links", row: { id: 1 } }] });
    assert.equal((await store.scan("hosts")).length, 1);
  });

  const others: readonly (readonly [string, Schema])[] = [
    [
      "a column more",
      { hosts: { key: "number", columns: { number: "integer", name: "text", ip: "text" } } },
    ],
    ["a column less", { hosts: { key: "number", columns: { number: "integer" } } }],
    [
      "a column of another type",
      { hosts: { key: "number", columns: { number: "integer", name: "blob" } } },
    ],
    ["another key", { hosts: { key: "name", columns: { number: "integer", name: "text" } } }],
  ];
  for (const [what, schema] of others) {
    test(`a database whose table would need ${what} is refused`, async () => {
      await using store = await OpenDatabase.of(open, { schema: SCHEMA });
      await store.close();
      const error = await errorOf(store.world, (done) => store.subject.open({ schema }, done));
      assert.equal(error.code, "DATABASE_SCHEMA");
      await store.open({ schema: SCHEMA });
    });
  }
}

function testMisfits(open: Opening): void {
  const page = (values: Record<string, unknown>) =>
    ({ put: [{ table: "pages", row: { ...PAGE, ...values } }] }) as Batch;
  const batches: readonly (readonly [string, Batch])[] = [
    ["an unknown table", { put: [{ table: "other", row: {} }] }],
    ["a table named like a part of every object", { put: [{ table: "constructor", row: {} }] }],
    ["a column too few", { put: [{ table: "pages", row: { url: "u" } }] }],
    ["a column too many", page({ colour: "red" })],
    ["a key of null", page({ url: null })],
    ["a number for text", page({ title: 1 })],
    ["text for an integer", page({ status: "200" })],
    ["a fraction for an integer", page({ status: 1.5 })],
    ["an integer beyond 2^53", page({ status: 2 ** 53 })],
    ["a big integer", page({ status: 1n })],
    ["a real that is no number", page({ score: Number.NaN })],
    ["an infinite real", page({ score: Number.POSITIVE_INFINITY })],
    ["text for bytes", page({ digest: "abc" })],
    ["undefined", page({ title: undefined })],
    ["half a surrogate pair", page({ title: "\ud800" })],
    ["a removal by a key of another type", { remove: [{ table: "hosts", key: "1" }] }],
    ["a mark that is no number", { marks: { mark: Number.NaN } }],
    ["an undefined mark", { marks: { mark: undefined } } as unknown as Batch],
    ["a mark without a name", { marks: { "": 1 } }],
  ];
  for (const [what, batch] of batches) {
    test(`${what} is a programming error, found inside the call`, async () => {
      await using store = await OpenDatabase.of(open, { schema: SCHEMA });
      const done = () => assert.fail("a misfit is never answered");
      assert.throws(() => store.database.commit(batch, done), assert.AssertionError);
      assert.deepEqual(await store.scan("pages"), []);
    });
  }

  test("reading with a key of another type, or from no table, is a programming error", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    const done = () => assert.fail("a misfit is never answered");
    const { database } = store;
    assert.throws(() => database.get("hosts", "1", done), assert.AssertionError);
    assert.throws(() => database.get("other", "1", done), assert.AssertionError);
    assert.throws(() => database.scan("pages", 1, 10, done), assert.AssertionError);
    assert.throws(() => database.scan("other", null, 10, done), assert.AssertionError);
    assert.throws(() => database.scan("pages", null, 0, done), assert.AssertionError);
  });

  test("asking a closed database is a programming error", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA });
    const closed = store.database;
    await store.close();
    assert.throws(() => closed.commit({}, () => {}), assert.AssertionError);
    await store.open({ schema: SCHEMA });
  });
}

function testFullness(open: Opening): void {
  test("a commit that does not fit leaves nothing behind, and succeeds when there is room", async () => {
    await using store = await OpenDatabase.of(open, { schema: SCHEMA, bytesMax: 1024 * 1024 });
    const filler = pagesOf("filler", 50);
    await store.commit({ put: filler, marks: { state: "before" } });
    const batch = { put: pagesOf("wanted", 70), marks: { state: "after" } };
    const error = await errorOf(store.world, (done) => store.database.commit(batch, done));
    assert.equal(error.code, "DATABASE_FULL");
    assert.equal(error.retry, "later");
    assert.equal((await store.scan("pages")).length, filler.length);
    assert.deepEqual(await store.marks(), { state: "before" });

    await store.commit({ put: [host(1, "a small one still fits")] });
    const remove = filler.map(({ row }) => ({ table: "pages", key: row["url"] as string }));
    await store.commit({ remove });
    await store.commit(batch);
    assert.equal((await store.scan("pages")).length, 70);
    assert.deepEqual(await store.marks(), { state: "after" });
  });
}

function testModel(open: Opening): void {
  for (const seed of ["one", "two", "three"]) {
    test(`random batches and openings agree with a model (seed "${seed}")`, async () => {
      await using store = await OpenDatabase.of(open, { schema: SCHEMA });
      const random = new SeededRandom(seed);
      const model = new DatabaseModel(SCHEMA);
      for (let round = 0; round < 40; round += 1) {
        const batch = randomBatch(random);
        await store.commit(batch);
        model.apply(batch);
        if (random.below(8) === 0) await store.reopen({ schema: SCHEMA });
        assert.deepEqual(await store.scan("hosts"), model.rows("hosts"));
        assert.deepEqual(await store.scan("seen"), model.rows("seen"));
        assert.deepEqual(await store.marks(), model.marks());
      }
    });
  }
}

function host(number: number, name: string): { table: string; row: Row } {
  return { table: "hosts", row: { number, name } };
}

/** Rows of ten thousand bytes each. */
function pagesOf(prefix: string, count: number): { table: string; row: Row }[] {
  return Array.from({ length: count }, (_, index) => {
    const row = { ...PAGE, url: `${prefix} ${index}`, digest: new Uint8Array(10_000).fill(index) };
    return { table: "pages", row };
  });
}
