import assert from "node:assert/strict";
import { test } from "node:test";
import { fingerprintOf, pageAt } from "../../../../test/support/store/indexed-pages.ts";
import type { IndexedPage } from "../../index/index.ts";
import { pageRow } from "../line-row.ts";
import { IndexComparison } from "./compare-index.ts";
import { ProblemList } from "./problem-list.ts";

/** What is found wrong, by the paths of the pages. */
class Compared {
  readonly #lines: string[] = [];
  readonly #problems = new ProblemList();
  readonly #comparison = new IndexComparison(
    { add: (line) => this.#lines.push(line), sorted: () => this.#lines.toSorted() },
    this.#problems,
  );
  readonly #numbers = new Map<string, number>();
  #position = 0;
  #number = 0;

  line(path: string, facts: Partial<IndexedPage> = {}, isUnfetched = false): this {
    const page = pageAt(path, facts);
    this.#position += 100;
    const row = pageRow(page);
    const { key } = page;
    const line = { row, position: this.#position, isUnfetched };
    this.#comparison.addLine(fingerprintOf(key), line);
    return this;
  }

  /** `found` is the number that the runs give to the page: by default its own. */
  row(path: string, facts: Partial<IndexedPage> = {}, found: number | null = 0): this {
    const page = pageAt(path, facts);
    this.#number += 1;
    this.#comparison.addRow(fingerprintOf(page.key), { ...page, number: this.#number });
    if (found !== null) this.#numbers.set(textOf(page.key), found || this.#number);
    return this;
  }

  async problems(mark: number, greatest = 1000): Promise<unknown[]> {
    const of = async (page: { readonly high: number; readonly low: number }) =>
      this.#numbers.get(`${page.high} ${page.low}`) ?? null;
    await this.#comparison.compare(mark, { of, greatest });
    return this.#problems.kept
      .map(({ file, url, problem }) => [file, url?.split("/").at(-1), problem])
      .sort();
  }
}

function textOf(key: string): string {
  const { high, low } = fingerprintOf(key);
  return `${high} ${low}`;
}

const LATER = { fetchedAt: "2030-01-02T00:00:00.000Z" };

test("a page that has a line before the mark and no row is told", async () => {
  const compared = new Compared().line("a").line("b").line("c").row("b");
  assert.deepEqual(
    await compared.problems(300),
    [["crawl.db", "a", "the page has no row"]],
    "the log is ahead of the index by c",
  );
});

test("a row is that of the last line before the mark, or of a later one", async () => {
  const lines = (): Compared => new Compared().line("a").line("a", LATER);
  assert.deepEqual(await lines().row("a", LATER).problems(1000), []);
  assert.deepEqual(await lines().row("a").problems(1000), [
    ["crawl.db", "a", "the row is not of the last fetch of its page"],
  ]);
  assert.deepEqual(await lines().row("a").problems(150), [], "the index is behind");
  assert.deepEqual(await lines().row("a", LATER).problems(150), [], "it went on meanwhile");
  const unfetched = new Compared().line("a").line("a", LATER, true);
  assert.deepEqual(await unfetched.row("a").problems(1000), [], "the answer stays");
});

test("each fact that a line has too is compared", async () => {
  const others: Partial<IndexedPage>[] = [
    ...[{ status: 404 }, { bytes: 1 }, { digest: null }, { via: null }, { offset: 1 }],
    ...[{ length: 1 }, { warc: "b.warc.gz" }, { redirectTo: "https://a.example/z" }],
    ...[{ url: "https://a.example/x", key: "https://a.example/a" }],
    { error: "FETCH_TIMED_OUT" as never },
  ];
  for (const other of others) {
    const compared = new Compared().line("a").row("a", other);
    const [problem] = await compared.problems(1000);
    assert.match(String(problem), /not of a fetch/, JSON.stringify(other));
  }
});

test("of a page that failed, only its line knows the answer that is archived", async () => {
  const error = "INTERNAL_DUPLICATES" as never;
  const answer = { warc: null, offset: null, length: null, digest: null, bytes: 0 };
  const failed = { error, status: 0 };
  const compared = new Compared().line("a", failed).row("a", { ...failed, ...answer });
  assert.deepEqual(await compared.problems(1000), []);
  const other = new Compared().line("a", failed).row("a", { ...failed, ...answer, ...LATER });
  assert.equal((await other.problems(1000)).length, 1);
});

test("a row without a line, and a page with two rows, are told", async () => {
  const compared = new Compared().line("a").row("a").row("a").row("b");
  assert.deepEqual(await compared.problems(1000), [
    ["crawl.db", "a", "the page has several rows"],
    ["crawl.db", "b", "the row is of a page that the crawl log does not have"],
    ["index", "a", "the key of its page leads to another row"],
  ]);
});

test("the runs lead to every row that they cover", async () => {
  const compared = new Compared().line("a").line("b").line("c");
  compared.row("a").row("b", {}, null).row("c", {}, null);
  assert.deepEqual(
    await compared.problems(1000, 2),
    [["index", "b", "the row is not found by the key of its page"]],
    "c is behind them",
  );
});
