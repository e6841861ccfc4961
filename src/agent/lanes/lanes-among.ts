/**
 * The lanes of an agent among others, at its desk: what each tells its node, and what the node must know of all
 * of them together.
 */
import type { Acknowledge, Clock } from "../../base/seams/index.ts";
import type { CrawlMember, OwnThreads } from "../crawl/crawl-member.ts";
import type { FetchLease } from "../member/threads/fetch-lease.ts";
import { RemoteLane } from "../member/threads/remote-lane.ts";
import type { DeskItem } from "./desk-intake.ts";
import type { LaneProxy } from "./lane-proxy.ts";

export interface LanesAmongParts {
  readonly clock: Clock;
  readonly member: Pick<CrawlMember, "changed" | "side">;
  readonly lease: FetchLease | null;
  readonly lanes: readonly LaneProxy[];
  /** Calls back when all rows of lines that this lane has by now can be found by their pages. */
  readonly whenNumbered: (lane: LaneProxy, done: () => void) => void;
  /** Makes the reports of all lanes newer than the call. */
  readonly refresh: (done: Acknowledge) => void;
}

export class LanesAmong implements OwnThreads {
  readonly lanes: readonly RemoteLane[];
  readonly #parts: LanesAmongParts;
  /** How often they have told something, and how often when their reports were last asked for. */
  #changes = 0;
  #reported = -1;
  #isAsking = false;

  constructor(parts: LanesAmongParts) {
    const { clock, member, lanes, whenNumbered } = parts;
    const { side: node } = member;
    this.#parts = parts;
    const changed = (): void => this.#changed();
    this.lanes = lanes.map((lane) => {
      const numbered = (done: () => void): void => whenNumbered(lane, done);
      return new RemoteLane({ clock, lane, node, changed, whenNumbered: numbered });
    });
  }

  heard(lane: LaneProxy, item: Extract<DeskItem, { kind: "entry" | "member" }>): void {
    this.lanes[lane.number]?.heard(item);
  }

  get areIdle(): boolean {
    return this.lanes.every(({ standing }) => standing.isIdle);
  }

  /** What one lane has sent to another must be what that has taken: then all were idle at one moment. */
  get areSettled(): boolean {
    return this.#reported === this.#changes && this.#arePaired;
  }

  allow(forMs: number, hasTokens: boolean): void {
    this.#parts.lease?.renew(forMs, hasTokens);
  }

  setRing(...[ring]: Parameters<OwnThreads["setRing"]>): void {
    for (const lane of this.lanes) lane.setRing(ring);
  }

  get #arePaired(): boolean {
    return this.lanes.every((one, from) =>
      this.lanes.every((other, to) => from === to || one.way(to).sent === other.way(from).received),
    );
  }

  #changed(): void {
    this.#changes += 1;
    this.#parts.member.changed();
    this.#reportIdle();
  }

  /** What they have counted is told to others when all is over. */
  #reportIdle(): void {
    if (this.#isAsking || this.#reported === this.#changes || !this.areIdle) return;
    const changes = this.#changes;
    this.#isAsking = true;
    this.#parts.refresh((error) => {
      this.#isAsking = false;
      if (error !== null) return;
      this.#reported = changes;
      this.#reportIdle();
      this.#parts.member.changed();
    });
  }
}
