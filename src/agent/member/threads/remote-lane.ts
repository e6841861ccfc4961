/**
 * A lane in a thread of its own, as the node of its agent asks it. The asks of one turn go together. How the
 * lane stands is known as it was told last, in the order of all that it tells; asks that it had not got by then
 * keep it from being idle.
 */
import { carry, rebuild } from "../../../base/background/index.ts";
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { inTurn } from "../../../base/steps/index.ts";
import type { UrlEntry } from "../../../cluster/delivery/index.ts";
import type { RingCopy } from "../../../cluster/node/index.ts";
import { entryOf } from "../../../holdings/index.ts";
import type { NumberedPage } from "../../../store/index/index.ts";
import type { DeskItem } from "../../lanes/desk-intake.ts";
import type { LaneProxy } from "../../lanes/lane-proxy.ts";
import type { NodeSide } from "../lane/node-side.ts";
import type { LanePages, LaneStanding, OwnLane } from "../own-lane.ts";
import type {
  AskedOfNode,
  AskOfLane,
  CarriedStanding,
  GuestRobots,
  RobotsEnd,
  ToldByLane,
} from "./lane-asks.ts";

export interface RemoteLaneParts {
  readonly clock: Clock;
  readonly lane: Pick<LaneProxy, "post" | "number">;
  readonly node: NodeSide;
  /** Calls back when all pages that it has logged by now can be found. */
  readonly whenNumbered: (done: () => void) => void;
  /** How it stands is another. */
  readonly changed: () => void;
}

type Each = (entry: UrlEntry) => void;
type Answered = (error: CrawlError | null, value: unknown) => void;
type AskWithId = Extract<AskOfLane, { readonly id: number }>;

const BEFORE: CarriedStanding = {
  ...{ isIdle: false, isWaiting: false, isFull: false, changes: 0 },
  ...{ pages: 0, bytes: 0, pagesOpen: 0, batches: 0, ways: [] },
};

export class RemoteLane implements OwnLane {
  readonly #parts: RemoteLaneParts;
  readonly #asked = new Map<number, Answered>();
  /** Who gets the entries of hosts that are given away. */
  readonly #given = new Map<number, Each>();
  /** What gives back what visits have, by their ids. */
  readonly #visits = new Map<number, () => void>();
  #standing = BEFORE;
  #due: AskOfLane[] = [];
  #batches = 0;
  /** Pages that have entered since it said how many are open. */
  #entered = 0;
  #nextId = 0;

  constructor(parts: RemoteLaneParts) {
    this.#parts = parts;
  }

  get standing(): LaneStanding {
    const { isIdle, batches, pagesOpen, ...standing } = this.#standing;
    const hasAll = batches === this.#batches && this.#due.length === 0;
    return { ...standing, isIdle: isIdle && hasAll, pagesOpen: pagesOpen + this.#entered };
  }

  /** Batches of links that it has sent to another lane, and taken from it. */
  way(lane: number): { readonly sent: number; readonly received: number } {
    return this.#standing.ways.find((way) => way.lane === lane) ?? { sent: 0, received: 0 };
  }

  /** Something that the lane has told, in its order. */
  heard(item: Extract<DeskItem, { kind: "entry" | "member" }>): void {
    if (item.kind === "member") this.#heard(item.told);
    else if (item.about === "given") this.#given.get(item.id)?.(item.entry);
    else this.#parts.node[item.about](item.entry);
  }

  setRing(ring: RingCopy): void {
    this.#ask({ ask: "ring", ring });
  }

  take(entry: UrlEntry): void {
    this.#ask({ ask: "take", entry });
  }

  end(...[entry, done]: Parameters<OwnLane["end"]>): void {
    this.#question({ ask: "end", entry }, (error, isHad) => {
      if (error === null) done(isHad === true);
    });
  }

  again(entry: UrlEntry): void {
    this.#ask({ ask: "again", entry });
  }

  adopt(...[host, record]: Parameters<OwnLane["adopt"]>): void {
    this.#ask({ ask: "adopt", host, record });
  }

  find(...[{ high, low }, done]: Parameters<OwnLane["find"]>): void {
    this.#turn(() => this.#parts.node.stored.has({ high, low }, done));
  }

  lost(...[isOwn, each, done]: Parameters<OwnLane["lost"]>): void {
    this.#question({ ask: "lost" }, (error, answer) => {
      if (error !== null) return;
      // By now the ring may be another.
      const hosts = (answer as readonly string[]).filter((host) => !isOwn(host));
      inTurn(
        hosts,
        (host, next) => each(host, () => next(null)),
        () => done(),
      );
    });
  }

  giveAway(...[host, each, done]: Parameters<OwnLane["giveAway"]>): void {
    const id = this.#question({ ask: "giveAway", host }, (error, record) => {
      this.#given.delete(id);
      if (error === null) done(record as Uint8Array);
    });
    this.#given.set(id, each);
  }

  pagesOf(...[isWanted, each, done]: Parameters<OwnLane["pagesOf"]>): void {
    const tell = (page: Parameters<typeof entryOf>[0]): void => each(entryOf(page));
    this.#turn(() => this.#parts.node.stored.ofHosts(isWanted, tell, done));
  }

  withhold({ hosts }: Parameters<OwnLane["withhold"]>[0]): void {
    this.#ask({ ask: "withhold", hosts });
  }

  admit(): void {
    this.#ask({ ask: "admit" });
  }

  nearer({ high, low }: Fingerprint, depth: number): void {
    this.#ask({ ask: "nearer", page: { high, low }, depth });
  }

  fetchRobots(...[robots, done]: Parameters<OwnLane["fetchRobots"]>): void {
    this.#question({ ask: "fetchRobots", robots }, (error, end) => {
      if (error === null) done(end as RobotsEnd);
    });
  }

  recheck(): void {
    this.#ask({ ask: "recheck" });
  }

  /** Its moment in a checkpoint comes later, when all that was asked until now is carried out. */
  inTurn(done: (isQuiet: boolean) => void): void {
    this.#parts.clock.after(0, () => done(true));
  }

  readonly pages: LanePages = {
    print: (row: NumberedPage, from: string, withBody: boolean) =>
      this.#answer<Uint8Array>({ ask: "print", row, from, withBody }),
    take: async (entry, bytes, isKnown) => {
      const isTold = await this.#answer<boolean>({ ask: "takePage", entry, bytes, isKnown });
      await new Promise<void>((done) => this.#parts.whenNumbered(done));
      return isTold;
    },
    tell: (entry) => this.#ask({ ask: "tell", entry }),
    forget: (entry) => this.#ask({ ask: "forget", entry }),
    offerNearer: (entry) => this.#ask({ ask: "offerNearer", entry }),
  };

  #heard(told: ToldByLane): void {
    const { node, changed } = this.#parts;
    switch (told.what) {
      case "enter":
        this.#enter(told);
        break;
      case "leave":
        this.#visits.get(told.id)?.();
        this.#visits.delete(told.id);
        break;
      case "ledTo":
        node.ledTo(told.url);
        break;
      case "ask":
        this.#reply(told);
        break;
      case "answer": {
        const asked = this.#asked.get(told.id);
        this.#asked.delete(told.id);
        if (told.error === null) asked?.(null, told.value);
        else asked?.(rebuild(told.error), undefined);
        break;
      }
      case "standing":
        this.#standing = told.standing;
        this.#entered = 0;
        changed();
    }
  }

  #enter({ id, address, isPage }: Extract<ToldByLane, { what: "enter" }>): void {
    if (isPage) this.#entered += 1;
    const release = this.#parts.node.enter({ address, isPage }, (mayBegin) =>
      this.#ask({ ask: "entered", id, mayBegin }),
    );
    this.#visits.set(id, release);
  }

  #reply({ id, kind, input }: Extract<ToldByLane, { what: "ask" }>): void {
    const { node } = this.#parts;
    const value = (answer: unknown): void =>
      this.#ask({ ask: "answer", id, error: null, value: answer });
    const answers: { readonly [Kind in keyof AskedOfNode]: () => void } = {
      robots: () => node.askRobots(input as GuestRobots, value),
      has: () => node.stored.has(input as AskedOfNode["has"][0], value),
      find: () => node.stored.find(input as AskedOfNode["find"][0], value),
      ofHost: () => node.stored.ofHost(input as string, value),
      rowOf: () =>
        node.rowOf(input as AskedOfNode["rowOf"][0], (error, row) => {
          if (error === null) value(row);
          else this.#ask({ ask: "answer", id, error: carry(error) });
        }),
    };
    answers[kind]();
  }

  #turn(done: () => void): void {
    this.#question({ ask: "turn" }, (error) => {
      if (error === null) done();
    });
  }

  #answer<Value>(ask: Unnumbered<AskWithId>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#question(ask, (error, value) => {
        if (error === null) resolve(value as Value);
        else reject(error);
      });
    });
  }

  #question(ask: Unnumbered<AskWithId>, answered: Answered): number {
    this.#nextId += 1;
    const id = this.#nextId;
    this.#asked.set(id, answered);
    this.#ask({ ...ask, id } as AskWithId);
    return id;
  }

  /** The asks of one turn go as one message, so that a lane never acts on a part of them. */
  #ask(ask: AskOfLane): void {
    this.#due.push(ask);
    if (this.#due.length > 1) return;
    this.#parts.clock.after(0, () => {
      const asks = this.#due;
      this.#due = [];
      this.#batches += 1;
      this.#parts.lane.post({ kind: "asks", asks });
    });
  }
}

/** Without its id. */
type Unnumbered<Ask> = Ask extends unknown ? Omit<Ask, "id"> : never;
