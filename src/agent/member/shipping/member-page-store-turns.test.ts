/** In which order pages are stored and made durable, and what is said of them when that fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError } from "../../../base/errors/index.ts";
import { answered } from "../../../base/seams/index.ts";
import type { UrlEntry } from "../../../cluster/delivery/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import { entryOf } from "../../../holdings/index.ts";
import { MemberPageStore } from "./member-page-store.ts";

const PAGE: UrlEntry = entryOf({
  ...{ url: "http://a.example/1" as FetchableUrl, high: 1, low: 1 },
  ...{ depth: 0, via: null, redirects: 0, priority: 0 },
});

/** A store over a lane and an index that do what the test says. */
class Rig {
  readonly steps: string[] = [];
  readonly store: MemberPageStore;
  isHad = false;
  /** Whether pages find room. */
  hasRoom = true;
  /** Whether the frontier is told of a page that is taken. */
  isTold = false;
  /** Whether somebody claims the page, each time that this is asked; nobody after that. */
  readonly claims: boolean[] = [];
  /** How the next commits fail. */
  readonly failures: CrawlError[] = [];
  /** Steps of the lane that are waited for, when they are not to end at once. */
  readonly takes: Promise<void>[] = [];

  constructor() {
    const { steps } = this;
    const commit = (done: (error: CrawlError | null) => void): void => {
      steps.push("commit");
      done(this.failures.shift() ?? null);
    };
    const parts = {
      ...{ clock: {}, self: () => assert.fail(), hidden: {}, fingerprintOf: () => null },
      services: { store: { commit }, index: null, rows: null },
      index: {
        expectRevisits: () => undefined,
        has: (_page: unknown, done: (error: null, isHad: boolean) => void) =>
          done(null, this.isHad),
      },
      isClaimed: (_page: unknown, done: (isClaimed: boolean) => void) =>
        done(this.claims.shift() ?? false),
      laneOf: () => ({
        take: (_entry: UrlEntry, bytes: Uint8Array) => this.#take(Buffer.from(bytes).toString()),
        offerNearer: () => steps.push("nearer"),
        tell: () => steps.push("tell"),
        forget: () => steps.push("forget"),
      }),
    };
    this.store = new MemberPageStore(parts as never);
  }

  async #take(bytes: string): Promise<boolean> {
    this.steps.push(`take ${bytes}`);
    await this.takes.shift();
    this.isHad ||= this.hasRoom;
    return this.isTold;
  }

  bring(bytes: string): Promise<unknown> {
    const writer = this.store.write(PAGE);
    writer.append(Buffer.from(bytes));
    return answered<void>((done) => writer.commit(done as never));
  }

  has(): Promise<boolean> {
    return new Promise((resolve) => this.store.has(PAGE, resolve));
  }
}

test("a page is said to be had when it is durable, and not if it cannot be made so", async () => {
  const rig = new Rig();
  assert.deepEqual([await rig.has(), rig.steps], [false, []]);
  rig.isHad = true;
  assert.deepEqual([await rig.has(), rig.steps], [true, ["commit"]]);
  rig.failures.push(new CrawlError("STORAGE_FAILED", "the disk fails"));
  assert.equal(await rig.has(), false);
});

test("a page that comes is durable before that is said", async () => {
  const rig = new Rig();
  await rig.bring("one");
  assert.deepEqual(rig.steps, ["take one", "tell", "commit"]);
  await rig.bring("two");
  assert.deepEqual(rig.steps.splice(3), ["nearer", "commit"]);
  for (const [code, told] of [
    ["STORE_FULL", "STORAGE_FULL"],
    ["STORAGE_FAILED", "STORAGE_FAILED"],
  ] as const) {
    rig.failures.push(new CrawlError(code, "it fails"));
    await assert.rejects(rig.bring("three"), { code: told, message: "it fails" });
  }
});

test("one page that several bring is stored by one at a time, also when the first ones fail", async () => {
  const rig = new Rig();
  const failure = new CrawlError("CLUSTER_ANSWER_DAMAGED", "it is torn");
  let fail = (_error: CrawlError): void => undefined;
  let goOn = (): void => undefined;
  rig.takes.push(
    new Promise((_resolve, reject) => {
      fail = reject;
    }),
    new Promise((resolve) => {
      goOn = resolve;
    }),
  );
  const first = rig.bring("one");
  const second = rig.bring("two");
  assert.deepEqual(rig.store.storing, 1);
  fail(failure);
  await assert.rejects(first, failure);
  // The second one is under way: whoever comes by now waits for it too.
  const third = rig.bring("three");
  await new Promise(setImmediate);
  assert.deepEqual(rig.steps, ["take one", "take two"]);
  goOn();
  await Promise.all([second, third]);
  assert.deepEqual(rig.steps.slice(2), ["tell", "commit", "nearer", "commit"]);
  assert.equal(rig.store.storing, 0, "nothing is remembered of them");
});

test("what found no room has not ended after all, if the frontier was told so", async () => {
  for (const isTold of [true, false]) {
    const rig = new Rig();
    Object.assign(rig, { isTold, hasRoom: false });
    await assert.rejects(rig.bring("one"), { code: "STORAGE_FULL", message: /a\.example\/1/ });
    assert.deepEqual(rig.steps, isTold ? ["take one", "forget"] : ["take one"]);
  }
});

test("the frontier is told of a page unless it was, or somebody claims it then and now", async () => {
  const cases = [
    { isTold: true, claims: [false], says: [] },
    { isTold: false, claims: [false], says: ["tell"] },
    { isTold: false, claims: [true, true], says: [] },
    { isTold: false, claims: [true, false], says: ["tell"] },
  ];
  for (const { isTold, claims, says } of cases) {
    const rig = new Rig();
    rig.isTold = isTold;
    rig.claims.push(...claims);
    await rig.bring("one");
    assert.deepEqual(rig.steps, ["take one", ...says, "commit"], `${isTold} ${claims}`);
  }
});
