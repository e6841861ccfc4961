/**
 * Opens an agent among others in a directory of the disk. Which crawl it is, the directory knows, or the
 * other agents; so the node comes first, and opens the crawl when it knows.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { ThreadBackground } from "../../base/background/index.ts";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import { answered } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { AgentId, Transport } from "../../base/transport/index.ts";
import type { SharedConfiguration } from "../../cluster/membership/index.ts";
import { type CrawlFounding, foundingProblem } from "../../cluster/node/index.ts";
import type { Configuration, GivenConfiguration } from "../../rules/config/index.ts";
import {
  CrawlDirectory,
  fingerprintKeyBytes,
  type NewCrawl,
  type ReservedDirectory,
} from "../../store/directory/index.ts";
import { readOrders } from "../control/orders.ts";
import type { PageAnswers } from "../control/page-questions.ts";
import type { OwnCrawl } from "../crawl/crawl-member.ts";
import { availableCores } from "../crawl/machine/process-limits.ts";
import { type OpenCrawlOptions, openCrawl } from "../crawl/open-crawl.ts";
import type { RunningCrawl } from "../crawl/running-crawl.ts";
import { readSavedCrawl } from "../saving/read-saved.ts";
import type { SavedMember } from "../saving/saved-crawl.ts";
import { refuseHalfRebuilt } from "../verify/rebuild-state.ts";
import { changesOf, joinedWith, refuseChanged, withOwn } from "./joined-settings.ts";
import { Member, type OpenedParts } from "./member.ts";
import { areAlike, boundsOf } from "./member-settings.ts";
import { type OwnPart, openOwnPart } from "./own-part.ts";
import type { AgentPages } from "./queries/agent-pages.ts";
import { openPages } from "./queries/open-pages.ts";
import { MemberPageStore } from "./shipping/member-page-store.ts";
import { NO_REFUSALS, type Refusals } from "./steering/cluster-reports.ts";
import { carryOutBy } from "./steering/member-calls.ts";
import { MemberControl } from "./steering/member-control.ts";
import { parseShared, printShared, type Shared } from "./steering/shared-text.ts";
import { TransportTurns } from "./transport-turns.ts";

export interface OpenMemberOptions extends Omit<OpenCrawlOptions, "goOn" | "rebuilds" | "among"> {
  /** What this agent was given; the rest is the crawl's. */
  readonly given: GivenConfiguration;
  /** Whether that changes what all share, where a crawl that goes on may change. */
  readonly changes?: boolean;
  /** Further seeds of the whole crawl; those that it has recorded as given before are left out. */
  readonly seeds?: readonly string[];
  /** Whether it begins a crawl if its directory has none; else it joins one. */
  readonly founds: boolean;
  /** How many agents are to be there before a crawl that it begins goes on to fetch. */
  readonly expect: number;
  /**
   * Connects it to the others under its name; called once, when this process holds the directory. `crawl` is
   * the id of the crawl, if that is known. Whoever connects it also ends the connection.
   */
  readonly connect: (self: AgentId, crawl: string | null) => Promise<Transport>;
  /** Fits what it crawls with to this process. */
  readonly fitted?: (whole: Configuration) => Configuration;
  /** What was refused before it reached the agent. */
  readonly refusals?: () => Refusals;
  /** Told when the crawl runs, is paused or ends for all agents. */
  readonly shared: (shared: Shared) => void;
}

export interface RunningMember {
  readonly crawl: RunningCrawl;
  readonly member: Member;
  /** Questions about the pages of all agents. */
  readonly pages: PageAnswers;
  /** Of the whole crawl, through this agent; closed with the crawl. */
  readonly control: MemberControl;
}

/**
 * Resolves when the crawl may run; `left` ends the waiting for other agents, and its reason is why, if that is
 * a `CrawlError`.
 */
export async function openMember(
  options: OpenMemberOptions,
  left: AbortSignal,
): Promise<RunningMember> {
  const opening = new MemberOpening(options);
  const stop = (): void => opening.stop(left.reason);
  left.addEventListener("abort", stop);
  try {
    return await opening.run();
  } finally {
    left.removeEventListener("abort", stop);
  }
}

class MemberOpening {
  readonly #options: OpenMemberOptions;
  readonly #path: string;
  /** Whether the last process that had the directory was killed. */
  #wasLeft = false;
  readonly #ready: PromiseWithResolvers<RunningMember> = Promise.withResolvers();
  readonly #background: ThreadBackground;
  /** Of a new agent; others are told before it knows what the crawl is like. */
  readonly #capacity: number;
  readonly #storage: DiskStorage;
  #configuration: Configuration;
  #directory: CrawlDirectory | null = null;
  #close: () => void = () => undefined;
  /** Makes a directory of a crawl out of one that is held; null if it is one. */
  #create: ((more: Pick<NewCrawl, "joined">) => CrawlDirectory) | null = null;
  /** The name of this agent. */
  #self = "";
  #isNew = false;
  /** Seeds that all agents have from this one. */
  #givenBefore: readonly string[] = [];
  /** Those that were added while it rested. */
  #ordered: readonly string[] = [];
  #saved: SavedMember | null = null;
  #member: Member | null = null;
  #opening: Promise<RunningCrawl> | null = null;
  #crawl: RunningCrawl | null = null;
  #pages: PageAnswers | null = null;
  #control: MemberControl | null = null;
  #isSettled = false;

  constructor(options: OpenMemberOptions) {
    const { folder, clock, configuration } = options;
    this.#options = options;
    // It may be stopped before anybody waits for it.
    this.#ready.promise.catch(() => undefined);
    this.#path = resolve(folder);
    this.#configuration = configuration;
    this.#capacity = capacityOf(configuration);
    this.#storage = new DiskStorage(this.#path);
    this.#background = new ThreadBackground({ storageRoot: this.#path, clock });
  }

  async run(): Promise<RunningMember> {
    try {
      this.#refuseUnshared();
      await this.#hold();
      await answered((done) => this.#storage.prepare(done));
      const turns = new TransportTurns(await this.#connect());
      if (this.#isSettled) return await this.#ready.promise;
      await this.#start(turns);
      return await this.#ready.promise;
    } catch (error) {
      this.#isSettled = true;
      await this.#closeCrawl();
      await this.#member?.close();
      this.#end();
      throw error;
    }
  }

  /** One that is being opened is closed when it is open: what it holds would keep the process. */
  async #closeCrawl(): Promise<void> {
    const opened = await this.#opening?.catch(() => null);
    if (opened == null) return;
    const ended = opened.life.run();
    opened.life.stop();
    await ended;
  }

  stop(reason: unknown): void {
    const unmet = "Stopped before the other agents of the crawl were met.";
    this.#ready.reject(isCrawlError(reason) ? reason : new CrawlError("CLUSTER_UNMET", unmet));
  }

  /** Before there is a directory that would go on with it. */
  #refuseUnshared(): void {
    const { founds, startOver } = this.#options;
    if (!founds || (startOver === null && CrawlDirectory.exists(this.#path))) return;
    const problem = foundingProblem(this.#beginning());
    if (problem !== null) throw problem;
  }

  /** Takes the directory, and what is known there. */
  async #hold(): Promise<void> {
    const { folder, startOver } = this.#options;
    const path = this.#path;
    this.#wasLeft = CrawlDirectory.wasLeft(path);
    if (!CrawlDirectory.exists(path)) this.#reserve(CrawlDirectory.reserve(path));
    else if (startOver !== null) this.#reserve(await CrawlDirectory.clear(path, startOver));
    else {
      refuseHalfRebuilt(path);
      const directory = CrawlDirectory.open(path);
      this.#directory = directory;
      this.#close = () => directory.close();
      const found = await readSavedCrawl(path);
      this.#saved = found?.saved.member ?? null;
      if (found !== null && this.#saved === null) throw isWhole(folder);
      refuseChanged(directory.identity, this.#options.given);
      const recorded = directory.configuration();
      this.#givenBefore = recorded.seeds;
      this.#ordered = readOrders(path).seeds;
      this.#configuration = withOwn(recorded, this.#options.given).configuration;
    }
  }

  #reserve(reserved: ReservedDirectory): void {
    this.#isNew = true;
    this.#close = () => reserved.close();
    this.#create = (more) => reserved.create(this.#newCrawl(more));
  }

  async #connect(): Promise<Transport> {
    const { connect, configuration } = this.#options;
    const identity = this.#directory?.identity ?? null;
    const self = identity?.agent ?? configuration.cluster.id ?? `agent-${freshSeed().slice(0, 8)}`;
    return await connect(self, identity?.crawl ?? null);
  }

  #newCrawl(more: Pick<NewCrawl, "joined">): NewCrawl {
    const { version, clock } = this.#options;
    const cluster = { ...this.#configuration.cluster, id: this.#self };
    return {
      configuration: { ...this.#configuration, seeds: [], cluster },
      capacity: this.#capacity,
      ...{ version, createdAtMs: clock.wallMs(), random: new SeededRandom(freshSeed()), ...more },
    };
  }

  #founded(): CrawlDirectory | null {
    const isFounded = this.#options.founds && this.#directory === null;
    if (isFounded) this.#made({});
    return this.#directory;
  }

  /** From now on the directory is that of a crawl. */
  #made(more: Pick<NewCrawl, "joined">): void {
    const directory = this.#create?.(more) ?? null;
    if (directory === null) return;
    this.#directory = directory;
    this.#close = () => directory.close();
  }

  async #start(turns: TransportTurns): Promise<void> {
    const transport = turns.next();
    const { expect, clock, stays = false } = this.#options;
    this.#self = transport.self;
    const founds = this.#founding(this.#founded());
    const configuration = this.#configuration;
    const storage = this.#storage;
    const capacity = this.#directory?.identity.capacity ?? this.#capacity;
    const member: Member = new Member({
      ...{ id: transport.self, capacity, expect, clock, storage, transport, configuration, stays },
      founds,
      random: new SeededRandom(freshSeed()),
      background: this.#background,
      saved: this.#saved,
      openParts: (crawl) => this.#openParts(member, crawl),
      desk: {
        summary: () => this.#control?.part() ?? {},
        carryOut: carryOutBy(() => this.#control?.local ?? null),
      },
      listener: {
        open: (shared) => this.#open(member, turns, shared),
        ready: () => this.#isReady(member),
        configured: (shared) => this.#configured(shared),
        concluded: (end) => this.#concluded(end),
        trouble: (error) => this.#options.report(error),
        failed: (error) => this.#failed(error),
        closed: () => this.#closed(),
      },
    });
    this.#member = member;
    member.start();
  }

  async #openParts(member: Member, crawl: OwnCrawl): Promise<OpenedParts> {
    const { clock } = this.#options;
    const [configuration, storage] = [this.#configuration, this.#storage];
    const { node } = member;
    const part = await openOwnPart({
      ...{ configuration, crawl, saved: this.#saved, world: this.#world(storage) },
      whenSaved: (done) => node.checkpoints.whenSaved(done),
      failed: (error) => this.#failed(error),
    });
    const { services } = crawl;
    const { index } = services;
    assert(index?.numbers !== undefined, "an agent among others has an index of its pages");
    const store = new MemberPageStore({
      ...{ clock, services, index: index.numbers, hidden: part.hidden },
      laneOf: (page) => part.laneOf(page).pages,
      self: () => node.view.self,
      isClaimed: (entry, done) => node.holdersOf(entry, (holders) => done(holders.length > 0)),
      fingerprintOf: part.fingerprintOf,
    });
    return { part, store, local: this.#openPages(member, part) };
  }

  #founding(directory: CrawlDirectory | null): CrawlFounding | null {
    if (!this.#options.founds || directory === null) return null;
    const { crawl, fingerprintKey, shards } = directory.identity;
    return { crawl, fingerprintKey, shards, ...this.#beginning() };
  }

  #beginning(): Pick<CrawlFounding, "text" | "bounds"> {
    const configuration = this.#configuration;
    const text = printShared({ configuration, state: "running" });
    return { text, bounds: boundsOf(configuration) };
  }

  #world(storage: DiskStorage): Parameters<typeof openOwnPart>[0]["world"] {
    const { identity } = this.#directory as CrawlDirectory;
    return {
      ...{ clock: this.#options.clock, storage, background: this.#background },
      fingerprintKey: fingerprintKeyBytes(identity),
      listener: { woken: () => undefined, failed: (error) => this.#failed(error) },
    };
  }

  /** The crawl is known: its configuration counts, but for what every agent has of its own. */
  async #open(member: Member, turns: TransportTurns, shared: SharedConfiguration): Promise<void> {
    try {
      await this.#openAs(member, turns, shared);
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      this.#ready.reject(error);
    }
    // Of a member that is closed nothing is expected any more.
    if (this.#member !== member || this.#crawl === null) await new Promise<never>(() => undefined);
  }

  /** Opens the crawl, or begins anew with a node that has the settings of the others. */
  async #openAs(member: Member, turns: TransportTurns, shared: SharedConfiguration): Promise<void> {
    const found = parseShared(shared.text);
    if (found === null) throw unreadable();
    const { given, changes, report } = this.#options;
    const joined = joinedWith(found.configuration, given, { isNew: this.#isNew, changes, report });
    const configuration = { ...joined, seeds: this.#givenBefore };
    const isAlike = areAlike(configuration, this.#configuration);
    this.#configuration = configuration;
    if (isAlike) {
      await this.#openCrawl(member, shared, found);
      this.#options.shared(found);
    } else {
      await member.close();
      if (!this.#isSettled) await this.#start(turns);
    }
  }

  async #openCrawl(member: Member, shared: SharedConfiguration, found: Shared): Promise<void> {
    const { crawl, fingerprintKey, shards } = shared;
    const { fitted = (whole) => whole } = this.#options;
    const configuration = fitted(this.#configuration);
    if (this.#directory === null) this.#made({ joined: { crawl, fingerprintKey, shards } });
    const directory = this.#directory as unknown as CrawlDirectory;
    // From here on the crawl closes it, also if it cannot be opened.
    this.#close = () => undefined;
    this.#opening = openCrawl({
      ...this.#options,
      ...{ configuration, goOn: () => configuration, startOver: null },
      among: {
        member,
        directory,
        storage: this.#storage,
        isNew: this.#isNew,
        wasLeft: this.#wasLeft,
      },
    });
    const opened = await this.#opening;
    // It was stopped meanwhile.
    if (this.#isSettled) return;
    this.#crawl = opened;
    const { clock, report } = this.#options;
    const pages = this.#pages;
    assert(pages !== null, "what is here is opened with the crawl");
    const control = new MemberControl({
      ...{ clock, crawl: opened, folder: this.#path, member, pages, shared: found, report },
      crawlId: crawl,
      refusals: this.#options.refusals ?? (() => NO_REFUSALS),
    });
    this.#control = control;
    control.shared.begin(!this.#isNew, changesOf(found.configuration, this.#configuration));
  }

  #isReady(member: Member): void {
    const crawl = this.#crawl;
    const pages = this.#pages;
    const control = this.#control;
    if (crawl === null || pages === null || control === null || this.#isSettled) return;
    this.#isSettled = true;
    this.#addSeeds(member, crawl);
    this.#ready.resolve({ crawl, member, pages, control });
  }

  /** What it was given before all agents have; it would only be told to all once more. */
  #addSeeds(member: Member, { made: { recorded } }: RunningCrawl): void {
    const { seeds = [], report } = this.#options;
    const known = new Set(this.#givenBefore);
    const all = new Set([...this.#ordered, ...seeds]);
    const added = [...all].filter((seed) => !known.has(seed));
    if (added.length === 0) return;
    void member.seed(added).then(() => {
      try {
        recorded.change({ ...recorded.configuration, seeds: [...this.#givenBefore, ...added] });
      } catch (error) {
        if (!isCrawlError(error)) throw error;
        report(error);
      }
    });
  }

  #configured(shared: SharedConfiguration): void {
    const found = parseShared(shared.text);
    if (found === null) return;
    this.#control?.shared.heard(found);
    this.#options.shared(found);
  }

  /** Nothing is left anywhere: what all have done is asked before they go. */
  #concluded(end: () => void): void {
    if (this.#control === null) end();
    else this.#control.concluded(end);
  }

  #failed(error: CrawlError): void {
    if (this.#isSettled) this.#crawl?.life.failed(error);
    else this.#ready.reject(error);
  }

  #openPages({ node }: Member, part: OwnPart): AgentPages {
    const { identity } = this.#directory as CrawlDirectory;
    const { local, pages } = openPages({
      ...{ path: this.#path, identity, configuration: this.#configuration, part, node },
      clock: this.#options.clock,
      crawl: () => {
        assert(this.#crawl !== null, "others ask when the crawl is open");
        return this.#crawl;
      },
    });
    this.#pages = pages;
    return local;
  }

  #closed(): void {
    if (this.#isSettled) this.#background.close(() => undefined);
    void this.#control?.close();
  }

  #end(): void {
    if (this.#member === null) this.#background.close(() => undefined);
    this.#close();
  }
}

function capacityOf({ cluster, lanes }: Configuration): number {
  if (cluster.capacity !== "auto") return cluster.capacity;
  return lanes === "auto" ? availableCores() : lanes;
}

function isWhole(folder: string): CrawlError {
  return new CrawlError(
    "CLUSTER_WHOLE_CRAWL",
    `The crawl in ${quoted(folder)} is a whole one, of a single agent. Go on with it by \`trobar crawl\`, or ` +
      "name another directory with --out for an agent of a cluster.",
  );
}

function unreadable(): CrawlError {
  return new CrawlError(
    "CLUSTER_CONFIGURATION_UNREADABLE",
    "The configuration that the other agents share cannot be read by this version. Run the same version " +
      "everywhere; versions may be exchanged one agent at a time, but not joined with an older one.",
  );
}
