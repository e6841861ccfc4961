/**
 * The node of an agent as a lane in a thread of its own sees it: what the lane tells and asks goes with its
 * posts, and whose a host is, it decides by its own copy of the ring.
 */
import assert from "node:assert/strict";
import { rebuild } from "../../../base/background/index.ts";
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import type { UrlEntry } from "../../../cluster/delivery/index.ts";
import { CopiedRing, type RingCopy } from "../../../cluster/node/index.ts";
import type { KnownPages } from "../../../holdings/index.ts";
import type { NumberedPage } from "../../../store/index/index.ts";
import type { LaneItem } from "../../lanes/lane-messages.ts";
import type { Entrance, NodeSide } from "../lane/node-side.ts";
import type { FetchLease } from "./fetch-lease.ts";
import type { AskedOfNode, CarriedAnswer, EntryReason, ToldByLane } from "./lane-asks.ts";

export interface RemoteNodeParts {
  readonly post: (item: LaneItem) => void;
  readonly lease: Pick<FetchLease, "mayFetch" | "hasTokens">;
  /** Whether addresses rest between visits, so that a visit waits for its slot. */
  readonly rests: boolean;
}

export class RemoteNode implements NodeSide {
  readonly #parts: RemoteNodeParts;
  /** Visits that wait, by their ids. */
  readonly #entering = new Map<number, (mayBegin: boolean) => void>();
  readonly #asked = new Map<number, (error: CrawlError | null, value: unknown) => void>();
  #nextId = 0;
  #ring: CopiedRing | null = null;

  constructor(parts: RemoteNodeParts) {
    this.#parts = parts;
  }

  get mayFetch(): boolean {
    return this.#parts.lease.mayFetch;
  }

  get hasTokens(): boolean {
    return this.#parts.lease.hasTokens;
  }

  /** The copy of the ring; before there is one, no host is anybody's. */
  get ring(): CopiedRing | null {
    return this.#ring;
  }

  setRing(ring: RingCopy): void {
    this.#ring = new CopiedRing(ring, this.#ring);
  }

  isHere(host: string): boolean {
    return this.#ring?.isOwn(host) === true;
  }

  enter({ address, isPage }: Entrance, entered: (mayBegin: boolean) => void): () => void {
    if (!isPage && (address === null || !this.#parts.rests)) {
      entered(true);
      return () => undefined;
    }
    const id = this.#newId();
    this.#entering.set(id, entered);
    this.#tell({ what: "enter", id, address, isPage });
    return () => {
      this.#entering.delete(id);
      this.#tell({ what: "leave", id });
    };
  }

  /** The node has answered; the visit may have been given up. */
  entered(id: number, mayBegin: boolean): void {
    const entered = this.#entering.get(id);
    this.#entering.delete(id);
    entered?.(mayBegin);
  }

  found(entry: UrlEntry): void {
    this.#name("found", entry);
  }

  logged(entry: UrlEntry): void {
    this.#name("logged", entry);
  }

  foundAgain(entry: UrlEntry): void {
    this.#name("foundAgain", entry);
  }

  ledTo(url: string): void {
    this.#tell({ what: "ledTo", url });
  }

  nearer(entry: UrlEntry): void {
    this.#name("nearer", entry);
  }

  askRobots(...[robots, done]: Parameters<NodeSide["askRobots"]>): void {
    this.#ask("robots", robots, (_, end) => {
      if (end !== undefined) done(end);
    });
  }

  readonly stored: KnownPages = {
    has: ({ high, low }, done) =>
      this.#ask("has", { high, low }, (_, isHad) => done(isHad === true)),
    find: ({ high, low }, done) =>
      this.#ask("find", { high, low }, (_, page) => done(page ?? null)),
    ofHost: (host, done) => this.#ask("ofHost", host, (_, pages) => done(pages ?? [])),
    ofHosts: () => assert.fail("the pages of all hosts are asked for where the store is"),
  };

  rowOf({ high, low }: Fingerprint, done: Done<NumberedPage | null>): void {
    this.#ask("rowOf", { high, low }, (error, row) => {
      if (error === null) done(null, row ?? null);
      else done(error, undefined);
    });
  }

  answered({ id, ...answer }: CarriedAnswer): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (answer.error === null) asked?.(null, answer.value);
    else asked?.(rebuild(answer.error), undefined);
  }

  #ask<Kind extends keyof AskedOfNode>(
    kind: Kind,
    input: AskedOfNode[Kind][0],
    answered: (error: CrawlError | null, value: AskedOfNode[Kind][1] | undefined) => void,
  ): void {
    const id = this.#newId();
    this.#asked.set(id, answered as (error: CrawlError | null, value: unknown) => void);
    this.#tell({ what: "ask", id, kind, input });
  }

  #newId(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  #name(about: EntryReason, entry: UrlEntry): void {
    this.#parts.post({ kind: "entry", about, id: 0, entry });
  }

  #tell(told: ToldByLane): void {
    this.#parts.post({ kind: "member", told });
  }
}
