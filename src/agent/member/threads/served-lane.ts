/** A lane of an agent in a thread of its own, as it carries out what the node asks. */
import { carry } from "../../../base/background/index.ts";
import { type CrawlError, faultOf, isCrawlError } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { isWithheldBy } from "../../../cluster/node/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import type { LaneItem } from "../../lanes/lane-messages.ts";
import { MemberLane } from "../lane/member-lane.ts";
import type { FetchLease } from "./fetch-lease.ts";
import type { AskOfLane, CarriedStanding } from "./lane-asks.ts";
import { RemoteNode } from "./remote-node.ts";

export interface ServedLaneParts {
  readonly clock: Clock;
  readonly lane: MemberLane;
  readonly node: RemoteNode;
  readonly post: (item: LaneItem) => void;
  /** What was sent to other lanes, and taken from them. */
  readonly ways: () => CarriedStanding["ways"];
}

/** What it is opened with. */
export interface ServedLaneWays extends Pick<ServedLaneParts, "clock" | "post" | "ways"> {
  readonly lease: FetchLease;
}

/** The place of a lane among other agents, in its own thread. */
export function openServedLane(
  configuration: Configuration,
  { lease, ...ways }: ServedLaneWays,
): ServedLane {
  const rests = configuration.politeness.ipDelay > 0;
  const node = new RemoteNode({ post: ways.post, lease, rests });
  return new ServedLane({ ...ways, node, lane: new MemberLane(node, configuration) });
}

/** How soon it looks again whether this is the moment for a checkpoint. */
const LOOK_AGAIN_MS = 5;

export class ServedLane {
  readonly #parts: ServedLaneParts;
  #batches = 0;
  #isDue = false;
  /** As it was told last. */
  #told = "";

  constructor(parts: ServedLaneParts) {
    this.#parts = parts;
  }

  get lane(): MemberLane {
    return this.#parts.lane;
  }

  take(asks: readonly AskOfLane[]): void {
    this.#batches += 1;
    for (const ask of asks) this.#carryOut(ask);
    this.changed();
  }

  /** Something has begun or ended: how the lane stands is told in this turn, after all else. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#parts.clock.after(0, () => {
      this.#isDue = false;
      this.tellStanding();
    });
  }

  tellStanding(): void {
    const { lane, post, ways } = this.#parts;
    const standing: CarriedStanding = { ...lane.standing, batches: this.#batches, ways: ways() };
    const text = JSON.stringify(standing);
    if (text === this.#told) return;
    this.#told = text;
    post({ kind: "member", told: { what: "standing", standing } });
  }

  /** Calls back when all that was asked before is carried out, and a checkpoint may be taken. */
  whenSettled(done: () => void): void {
    const { lane, clock } = this.#parts;
    lane.inTurn((isQuiet) => {
      if (isQuiet) done();
      else clock.after(LOOK_AGAIN_MS, () => this.whenSettled(done));
    });
  }

  #carryOut(ask: AskOfLane): void {
    const { lane, node } = this.#parts;
    switch (ask.ask) {
      case "take":
        lane.take(ask.entry);
        break;
      case "again":
        lane.again(ask.entry);
        break;
      case "end":
        lane.end(ask.entry, (isHad) => this.#answer(ask.id, isHad));
        break;
      case "adopt":
        lane.adopt(ask.host, ask.record);
        break;
      case "lost":
        this.#lost(ask.id);
        break;
      case "giveAway":
        lane.giveAway(
          ask.host,
          (entry) => this.#parts.post({ kind: "entry", about: "given", id: ask.id, entry }),
          (record) => this.#answer(ask.id, record),
        );
        break;
      case "turn":
        lane.inTurn(() => this.#answer(ask.id, null));
        break;
      case "withhold": {
        const { hosts } = ask;
        // By the ring of the moment at which somebody asks.
        const has = (host: string): boolean =>
          node.ring === null || isWithheldBy(node.ring, hosts)(host);
        lane.withhold({ hosts, has });
        break;
      }
      case "admit":
        lane.admit();
        break;
      case "recheck":
        lane.recheck();
        break;
      case "nearer":
        lane.nearer(ask.page, ask.depth);
        break;
      case "fetchRobots":
        lane.fetchRobots(ask.robots, (end) => this.#answer(ask.id, end));
        break;
      case "ring":
        node.setRing(ask.ring);
        break;
      case "entered":
        node.entered(ask.id, ask.mayBegin);
        break;
      case "answer":
        node.answered(ask);
        break;
      default:
        this.#carryPage(ask);
    }
  }

  #carryPage(
    ask: Extract<AskOfLane, { ask: "print" | "takePage" | keyof MemberLane["pages"] }>,
  ): void {
    const { pages } = this.#parts.lane;
    switch (ask.ask) {
      case "print":
        this.#answerWith(ask.id, pages.print(ask.row, ask.from, ask.withBody));
        break;
      case "takePage":
        this.#answerWith(ask.id, pages.take(ask.entry, ask.bytes, ask.isKnown));
        break;
      case "tell":
        pages.tell(ask.entry);
        break;
      case "forget":
        pages.forget(ask.entry);
        break;
      case "offerNearer":
        pages.offerNearer(ask.entry);
    }
  }

  #lost(id: number): void {
    const { lane, node } = this.#parts;
    const hosts: string[] = [];
    lane.lost(
      (host) => node.ring?.isOthers(host) !== true,
      (host, next) => {
        hosts.push(host);
        next();
      },
      () => this.#answer(id, hosts),
    );
  }

  #answer(id: number, value: unknown): void {
    this.#parts.post({ kind: "member", told: { what: "answer", id, error: null, value } });
  }

  #answerWith(id: number, answer: Promise<unknown>): void {
    const unit = {
      code: "INTERNAL_STORE",
      what: "a page of another agent",
      isOver: false,
    } as const;
    answer.then(
      (value) => this.#answer(id, value),
      (thrown: unknown) => {
        const error: CrawlError = isCrawlError(thrown) ? thrown : faultOf(thrown, unit);
        const told = { what: "answer", id, error: carry(error) } as const;
        this.#parts.post({ kind: "member", told });
      },
    );
  }
}
