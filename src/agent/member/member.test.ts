/** A member between its node and its crawl: what it waits for before it says something, and what it undoes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { entryAt } from "../../../test/support/cluster/noting-agents.ts";
import { configured } from "../../../test/support/rules/configured.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge } from "../../base/seams/index.ts";
import { lanedHoldings } from "../../cluster/node/index.ts";
import { Kernel, SimBackground, SimCluster, SimDisk } from "../../lab/simulator/index.ts";
import type { OwnCrawl } from "../crawl/crawl-member.ts";
import type { SavedMember } from "../saving/saved-crawl.ts";
import { Member, type MemberParts, type OpenedParts } from "./member.ts";
import { boundsOf } from "./member-settings.ts";
import type { OwnLane } from "./own-lane.ts";

const HOST = "h.example";

/** One agent on a disk that loses what is not durable, with a crawl that does as the test says. */
class Rig {
  readonly kernel = new Kernel({ seed: "member" });
  readonly disk = new SimDisk(this.kernel.random.fork("disk"));
  readonly cluster = new SimCluster(this.kernel);
  readonly notes: string[] = [];
  /** What its lanes were given, in all lives. */
  readonly taken: string[] = [];
  /** What the lane says of itself. */
  standing = { isIdle: true, isWaiting: false, isFull: false, changes: 0, pages: 0, bytes: 0 };
  pagesOpen = 0;
  /** What was counted in earlier lives. */
  before = { pages: 0, bytes: 0 };
  /** Whether something that the node has asked is not carried out. */
  isBusy = false;
  /** What the store answers when pages are to be made durable; null for later. */
  commits: (CrawlError | null)[] = [];
  readonly committing: Acknowledge[] = [];
  /** Seeds that the lane has not taken yet. */
  readonly offered: (() => void)[] = [];
  /** The ends of the crawl that were found. */
  readonly ends: (() => void)[] = [];
  /** With which what is here of the crawl is closed. */
  failure: CrawlError | null = null;
  #member: Member | null = null;
  #saved: SavedMember | null = null;

  constructor(settings: readonly string[] = [], stays = false) {
    const configuration = configured("cluster.heartbeat=1s", ...settings);
    this.cluster.add("a0", ({ nodeId: id, clock, random }, transport) => {
      const storage = this.disk.mount(clock);
      const parts: MemberParts = {
        ...{ id, clock, random, storage, transport, configuration, stays },
        ...{ capacity: 1, expect: 1, saved: this.#saved },
        founds: {
          ...{ crawl: "test", fingerprintKey: "none", shards: 64, text: "the text" },
          bounds: boundsOf(configuration),
        },
        background: new SimBackground({ clock, random, disk: this.disk }),
        openParts: async () => this.#parts(),
        desk: { summary: () => ({}), carryOut: () => undefined },
        listener: this.#listener(),
      };
      this.#member = new Member(parts);
      this.#member.start();
    });
  }

  get member(): Member {
    assert(this.#member !== null);
    return this.#member;
  }

  /** What was noted since this was asked. */
  get noted(): string[] {
    return this.notes.splice(0);
  }

  /** Time passes, and promises are settled meanwhile. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 50) {
      this.kernel.pass(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Until it is open and active. */
  async ready(): Promise<this> {
    for (let waited = 0; !this.member.mayFetch; waited += 1) {
      assert.ok(waited < 1000, "it is ready in time");
      await this.pass(50);
    }
    this.notes.length = 0;
    return this;
  }

  /** The power fails for a moment; what it goes on from is `saved`. */
  async crash(saved: SavedMember | null): Promise<void> {
    const restart = this.cluster.takeDown("a0");
    this.disk.crash();
    this.#saved = saved;
    this.kernel.schedule(100, restart);
    await this.pass(200);
    await this.ready();
  }

  #listener(): MemberParts["listener"] {
    const note = (text: string): void => void this.notes.push(text);
    return {
      open: async () => {
        await this.member.opened(this.#crawl());
        this.member.replayed();
      },
      ready: () => note("ready"),
      configured: () => note("configured"),
      concluded: (end) => {
        note("concluded");
        this.ends.push(end);
      },
      trouble: ({ code }) => note(code),
      failed: ({ code }) => note(`failed ${code}`),
      closed: () => note("closed"),
    };
  }

  #crawl(): OwnCrawl {
    const commit = (done: Acknowledge): void => {
      this.notes.push("commit");
      const [answer] = this.commits.splice(0, 1);
      if (answer === undefined) this.committing.push(done);
      else this.kernel.schedule(1, () => done(answer));
    };
    return {
      services: { store: { commit }, index: null, rows: null } as unknown as OwnCrawl["services"],
      lanes: [this.#lane()],
      before: this.before,
      threads: null,
      commitSoon: () => undefined,
      offerSeeds: (seeds, taken) => {
        this.notes.push(`offered ${seeds}`);
        this.offered.push(taken);
      },
      end: (limit) => this.notes.push(`end ${limit ?? "exhausted"}`),
    };
  }

  #lane(): OwnLane {
    const standing = (): OwnLane["standing"] => ({ ...this.standing, pagesOpen: this.pagesOpen });
    const nothing = (): void => undefined;
    return {
      get standing() {
        return standing();
      },
      take: ({ host, low }) => this.taken.push(`${host}/${low}`),
      lost: (_isOwn, _each, done) => this.kernel.schedule(1, done),
      inTurn: (done) => done(true),
      ...{ end: nothing, again: nothing, adopt: nothing, giveAway: nothing, pagesOf: nothing },
      ...{ withhold: nothing, admit: nothing, find: nothing, nearer: nothing, recheck: nothing },
      fetchRobots: nothing,
      pages: {} as OwnLane["pages"],
    };
  }

  #parts(): OpenedParts {
    const nothing = (): void => undefined;
    const isBusy = (): boolean => this.isBusy;
    const whenSaved = (done: () => void): void => this.member.node.checkpoints.whenSaved(done);
    const store = { find: nothing, nearer: nothing, hide: nothing, show: nothing, whenSaved };
    const hidden = { places: [], table: {} } as unknown as SavedMember["hidden"];
    return {
      part: {
        holdings: lanedHoldings([this.#lane()], store, () => 0),
        stored: {} as OpenedParts["part"]["stored"],
        ...{ rowOf: nothing, fetchRobots: nothing, recorded: nothing },
        get isBusy() {
          return isBusy();
        },
        inTurn: (done) => this.kernel.schedule(1, () => done(true)),
        save: (done) => done(null, hidden),
        close: (done) => done(this.failure),
      },
      store: {} as OpenedParts["store"],
      local: {
        ...{ whereIs: nothing, readPage: nothing, items: nothing },
        close: async () => void this.notes.push("pages closed"),
      },
    };
  }
}

test("D1: what lanes have told until their moment is durable when the checkpoint may be recorded", async () => {
  const rig = await new Rig().ready();
  const { member } = rig;
  let isQuiet = false;
  let saved: SavedMember | null = null;
  member.hold((error) => {
    isQuiet = error === null;
    const told = member.save((...[failed, marks]) => {
      assert.ifError(failed);
      saved = marks ?? null;
    });
    member.found(entryAt(HOST, 7));
    told();
    member.letGo();
  });
  rig.kernel.runUntil(() => saved !== null, { stepsMax: 10_000, virtualMsMax: 10_000 });
  assert.ok(isQuiet);
  await rig.crash(saved);
  assert.deepEqual(rig.taken, [`${HOST}/7`, `${HOST}/7`]);
});

test("T1: nothing has ended while a page that has its line is not durable, or that was not told", async () => {
  const rig = await new Rig().ready();
  const { member } = rig;
  member.logged(entryAt(HOST));
  member.changed();
  await rig.pass(10_000);
  assert.deepEqual(rig.noted, ["commit"], "it waits for the disk");
  rig.committing.shift()?.(null);
  await rig.pass(5000);
  assert.deepEqual(rig.noted, ["concluded"]);
});

test("a page that could not be made durable is told later", async () => {
  const rig = await new Rig().ready();
  const { member } = rig;
  rig.commits = [new CrawlError("STORE_FULL", "no room"), null];
  rig.standing.isIdle = false;
  member.logged(entryAt(HOST));
  member.hold((error) => rig.notes.push(error?.code ?? "quiet"));
  await rig.pass(100);
  assert.deepEqual(rig.noted, ["commit", "STORE_FULL"]);
  member.hold((error) => rig.notes.push(error?.code ?? "quiet"));
  await rig.pass(100);
  assert.deepEqual(rig.noted, ["commit", "quiet"]);
});

test("T1: nothing ends while the crawl is paused", async () => {
  const rig = await new Rig().ready();
  rig.member.setPaused(true);
  await rig.pass(10_000);
  assert.deepEqual(rig.noted, []);
  rig.member.setPaused(false);
  await rig.pass(5000);
  assert.deepEqual(rig.noted, ["concluded"]);
});

test("T1: nothing ends before its lanes have taken all seeds", async () => {
  const rig = await new Rig().ready();
  const holders = rig.member.seed(["http://s.example/"]);
  await rig.pass(10_000);
  assert.equal(await holders, 1);
  assert.deepEqual(rig.noted, ["offered http://s.example/"]);
  rig.offered.shift()?.();
  await rig.pass(5000);
  assert.deepEqual(rig.noted, ["concluded"]);
});

test("what lanes tell before the node can take it waits, and nothing is held once it was let go", async () => {
  const rig = new Rig();
  rig.standing.isIdle = false;
  for (const low of [1, 2]) rig.member.found(entryAt(HOST, low));
  await rig.ready();
  assert.deepEqual(rig.taken, [`${HOST}/1`, `${HOST}/2`]);
  rig.member.hold(() => assert.fail("it was let go"));
  rig.member.letGo();
  rig.member.logged(entryAt(HOST, 2));
  rig.member.hold((error) => rig.notes.push(error?.code ?? "quiet"));
  await rig.pass(1000);
  assert.deepEqual(rig.noted, ["commit"], "what it has is made durable first");
  rig.committing.shift()?.(null);
  await rig.pass(1000);
  assert.deepEqual(rig.noted, ["quiet"]);
});

test("an end that was undone before it is carried out is none; the next one is", async () => {
  const rig = await new Rig().ready();
  const { member } = rig;
  await rig.pass(5000);
  assert.deepEqual(rig.noted, ["concluded"]);
  rig.standing = { ...rig.standing, isIdle: false, changes: 1 };
  member.changed();
  await rig.pass(5000);
  rig.ends.shift()?.();
  await rig.pass(100);
  assert.deepEqual(rig.noted, []);
  rig.standing = { ...rig.standing, isIdle: true };
  member.changed();
  await rig.pass(5000);
  rig.ends.shift()?.();
  await rig.pass(100);
  assert.deepEqual(rig.noted, ["concluded", "end exhausted"]);
});

test("one that waits for seeds does not end when nothing is left, but at a limit it does", async () => {
  const rig = await new Rig(["limits.pages=1"], true).ready();
  const { member } = rig;
  await rig.pass(5000);
  assert.deepEqual(rig.noted, []);
  const leave = member.enter({ address: null, isPage: true }, (may) => rig.notes.push(`${may}`));
  rig.standing = { ...rig.standing, isWaiting: true, changes: 1, pages: 1 };
  leave();
  member.changed();
  await rig.pass(5000);
  assert.deepEqual(rig.noted, ["true", "concluded"]);
  rig.ends.shift()?.();
  await rig.pass(100);
  assert.deepEqual(rig.noted, ["end pages"]);
});

test("what others are to be told of does not wait when nothing goes on without it", async () => {
  const rig = await new Rig().ready();
  const { member } = rig;
  let hurried = 0;
  member.node.hurry = () => {
    hurried += 1;
  };
  const hurriesIf = (standing: Partial<Rig["standing"]>): boolean => {
    const before = hurried;
    Object.assign(rig.standing, standing);
    member.changed();
    return hurried > before;
  };
  assert.equal(hurriesIf({ isIdle: false, isWaiting: false }), false, "a page is worked on");
  assert.equal(hurriesIf({ isIdle: true, isWaiting: true }), false, "hosts rest");
  assert.equal(hurriesIf({ isIdle: true, isWaiting: false }), true);
});

test("a visit that waited for its address does not begin when the time of the crawl is over", async () => {
  const rig = await new Rig(["limits.time=20s", "politeness.ipDelay=30s"]).ready();
  rig.standing = { ...rig.standing, isIdle: false, isWaiting: true };
  // Another agent may have visited it just now.
  const entrance = { address: "192.0.2.1", isPage: true };
  const leave = rig.member.enter(entrance, (may) => rig.notes.push(`${may}`));
  assert.equal(rig.member.hasTokens, true);
  await rig.pass(40_000);
  assert.deepEqual(rig.noted, ["false"]);
  leave();
});

test("when it is closed, what is here is closed after the node, and a disk that fails then is told", async () => {
  const rig = await new Rig().ready();
  rig.failure = new CrawlError("STORAGE_FAILED", "the disk fails");
  const closing = rig.member.close();
  await rig.pass(1000);
  await closing;
  assert.deepEqual(rig.noted, ["pages closed", "failed STORAGE_FAILED", "closed"]);
  await rig.member.close();
  assert.deepEqual(rig.noted, [], "it is closed once");
});

test("each checkpoint waits anew for what was told since, and none that was let go is begun", async () => {
  const rig = await new Rig().ready();
  rig.standing.isIdle = false;
  const note = (error: CrawlError | null): void => void rig.notes.push(error?.code ?? "quiet");
  rig.member.hold(() => assert.fail("it was let go"));
  rig.member.letGo();
  await rig.pass(100);
  rig.member.hold(note);
  await rig.pass(100);
  rig.member.letGo();
  assert.deepEqual(rig.noted, ["quiet"]);
  rig.member.logged(entryAt(HOST));
  rig.member.hold(note);
  assert.deepEqual(rig.noted, []);
  await rig.pass(100);
  assert.deepEqual(rig.noted, ["commit"]);
});

test("T1: nothing ends while something that the node has asked is not carried out", async () => {
  const rig = await new Rig().ready();
  rig.isBusy = true;
  await rig.pass(10_000);
  assert.deepEqual(rig.noted, []);
  rig.isBusy = false;
  rig.member.changed();
  await rig.pass(5000);
  assert.deepEqual(rig.noted, ["concluded"]);
});

test("M1: pages of earlier lives count, and what is no page needs no token", async () => {
  const rig = new Rig(["limits.pages=3"]);
  rig.before = { pages: 2, bytes: 0 };
  await rig.ready();
  const enter = (isPage: boolean): void =>
    void rig.member.enter({ address: null, isPage }, (may) => rig.notes.push(`${may}`));
  for (const isPage of [false, false, true, true]) enter(isPage);
  assert.deepEqual(rig.noted, ["true", "true", "true", "false"]);
});
