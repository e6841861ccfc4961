/** Pages of hosts that change hands, in an index on a simulated disk. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { IndexRig } from "../../../../test/support/store/index-rig.ts";
import { fingerprintOf } from "../../../../test/support/store/indexed-pages.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { StoredPages } from "./stored-pages.ts";

class Rig extends IndexRig {
  readonly failures: string[] = [];
  readonly pages = new StoredPages({
    ...{ index: this.writer, flush: this.flush },
    fingerprintOf: (url) => (url.includes("odd") ? null : fingerprintOf(url)),
    failed: ({ code }) => this.failures.push(code),
  });

  /** Reserves a number for a page that is given up. */
  giveUp(url: string): void {
    this.writer.reserve(fingerprintOf(url), url, (_error, number = 0) => this.writer.drop(number));
  }

  has(url: string): boolean {
    let answer: boolean | null = null;
    this.pages.has(fingerprintOf(url), (isHad) => {
      answer = isHad;
    });
    this.machine.time.settle();
    return answer ?? assert.fail("nobody answered");
  }
}

function urlsOf(pages: readonly Ticket[]): string {
  return pages.map(({ url }) => url.slice("https://".length)).join(" ");
}

test("a page is had from its row on, written or not; a number alone is no page", () => {
  const rig = new Rig("stored pages");
  rig.add("a.example", "1");
  rig.giveUp("https://a.example/2");
  assert.deepEqual(
    ["1", "2", "3"].map((path) => rig.has(`https://a.example/${path}`)),
    [true, false, false],
  );
  rig.pages.ofHosts(
    () => true,
    () => undefined,
    () => undefined,
  );
  rig.machine.time.settle();
  assert.equal(rig.flushes, 1);
  assert.equal(rig.has("https://a.example/1"), true, "it is in the file now");
});

test("a page is found with its depth, once its row is written", () => {
  const rig = new Rig("stored pages");
  rig.add("a.example", "1", { depth: 3 });
  rig.giveUp("https://a.example/2");
  const depths = ["1", "2", "3", "1"].map((path) => {
    let depth: number | null = null;
    rig.pages.find(fingerprintOf(`https://a.example/${path}`), (page) => {
      depth = page?.depth ?? -1;
    });
    rig.machine.time.settle();
    return depth;
  });
  assert.deepEqual(depths, [3, -1, -1, 3]);
  assert.equal(rig.flushes, 1, "it is waited for once");
  assert.deepEqual(rig.failures, []);
});

test("all hosts that are asked for while rows are read are found by one way through them", () => {
  const rig = new Rig("stored pages");
  for (let at = 0; at < 2500; at += 1) rig.add(`h${at % 50}.example`, `${at}`);
  rig.add("h7.example.", "dot", { depth: 4 });
  const told = new Map<string, string>();
  for (const host of ["h7.example", "h8.example", "none.example", "h7.example"]) {
    rig.pages.ofHost(host, (pages) => told.set(host, `${told.get(host) ?? ""}${pages.length} `));
  }
  assert.equal(rig.flushes, 1);
  rig.machine.time.settle();
  assert.deepEqual(Object.fromEntries(told), {
    "h7.example": "51 51 ",
    "h8.example": "50 ",
    "none.example": "0 ",
  });
  assert.equal(rig.flushes, 2);
});

test("who asks while rows are read is told by the next way, with what was added meanwhile", () => {
  const rig = new Rig("stored pages");
  rig.add("a.example", "1", { depth: 3, via: "https://b.example/", requisite: true });
  rig.add("a.example", "odd");
  const told: string[] = [];
  rig.pages.ofHosts(
    (host) => host === "a.example",
    (page) => {
      assert.deepEqual([page.depth, page.via, page.requisite], [3, "https://b.example/", 1]);
      rig.pages.ofHost("a.example", (pages) => told.push(urlsOf(pages)));
    },
    (error) => told.push(`done ${error}`),
  );
  rig.machine.time.settle();
  assert.deepEqual(told, ["done null", "a.example/1"]);
  assert.equal(rig.flushes, 2);
});

test("a page that is logged while an earlier flush is under way is told to who asks after that", () => {
  const rig = new Rig("stored pages");
  const answers: (() => void)[] = [];
  const pages = new StoredPages({
    ...{ index: rig.writer, fingerprintOf },
    flush: (done) => rig.flush((error) => answers.push(() => done(error))),
    failed: () => assert.fail("nothing fails"),
  });
  const told: string[] = [];
  const ask = (host: string): void =>
    pages.ofHosts(
      (one) => one === host,
      ({ url }) => told.push(url.slice("https://".length)),
      (error) => told.push(`done ${error}`),
    );
  rig.add("a.example", "1");
  ask("a.example");
  rig.machine.time.settle();
  // Its visit ends before that is answered, and then its host leaves too.
  rig.add("b.example", "1");
  ask("b.example");
  for (let answer = answers.pop(); answer !== undefined; answer = answers.pop()) {
    answer();
    rig.machine.time.settle();
  }
  assert.deepEqual(told, ["a.example/1", "done null", "b.example/1", "done null"]);
});

test("whoever cannot be told is told why", () => {
  const rig = new Rig("stored pages");
  rig.breakDisk();
  const told: string[] = [];
  rig.pages.ofHost("a.example", () => told.push("never"));
  rig.pages.ofHosts(
    () => true,
    () => told.push("never"),
    (error) => told.push(error?.code ?? "none"),
  );
  rig.machine.time.settle();
  assert.deepEqual([told, rig.failures], [["DATABASE_FAILED"], ["DATABASE_FAILED"]]);
});
