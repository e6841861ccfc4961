/** Agents that answer queries from small stores, on a network that the test may disturb. */
import { type Peer, Peers } from "../../../test/support/cluster/peers.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Done } from "../../base/seams/index.ts";
import type { Conditions } from "../../lab/simulator/index.ts";
import type { Messenger, Place } from "../messages/index.ts";
import {
  type CarryOut,
  ClusterQueries,
  type ItemsPart,
  type LocalPages,
  type PagePart,
  type Query,
  type QuerySettings,
  type StreamBatch,
  type Whereabouts,
} from "./index.ts";

export const SETTINGS: QuerySettings = {
  ...{ timeoutMs: 300, triesMax: 4, retryMs: 50, partBytes: 10, servedMax: 2, pollMs: 500 },
};

/** The store of one agent, which outlives its lives. */
export class ToyStore {
  readonly pages: Map<string, string> = new Map();
  readonly pointers: Map<string, Place> = new Map();
  items: string[] = [];
  stamp = "1";
  isBroken = false;
  /** What it was called for, and how long it takes to do that. */
  readonly called: string[] = [];
  takesMs = 20;
  /** The most questions that were open at once. */
  most = 0;
  #open = 0;

  local(clock: Clock): LocalPages {
    const answer = <Value>(done: Done<Value>, value: () => Value): void => {
      this.#open += 1;
      this.most = Math.max(this.most, this.#open);
      clock.after(20, () => {
        this.#open -= 1;
        if (this.isBroken) done(new CrawlError("STORAGE_FAILED", "broken", {}), undefined);
        else done(null, value());
      });
    };
    return {
      whereIs: (url, done) => answer(done, () => this.#whereIs(url)),
      readPage: (url, from, bytesMax, done) =>
        answer(done, () => this.#readPage(url, from, bytesMax)),
      items: (query, cursor, bytesMax, done) =>
        answer(done, () => this.#items(query, cursor, bytesMax)),
    };
  }

  /** Does what it is called for, unless it is broken. */
  carryOut(clock: Clock): CarryOut {
    return ({ what, argument }, done) => {
      this.called.push(`${what} ${argument}`);
      clock.after(this.takesMs, () => {
        if (this.isBroken) done(new CrawlError("CONTROL_OVER", "it is over"), undefined);
        else done(null, `${what} done`);
      });
    };
  }

  #whereIs(url: string): Whereabouts {
    const place = this.pointers.get(url);
    if (place !== undefined) return { kind: "elsewhere", place };
    return { kind: this.pages.has(url) ? "here" : "absent" };
  }

  #readPage(url: string, from: number, bytesMax: number): PagePart | null {
    const page = this.pages.get(url);
    if (page === undefined) return null;
    const bytes = Buffer.from(page);
    const part = bytes.subarray(from, from + bytesMax);
    return { bytes: part, totalBytes: bytes.byteLength, stamp: this.stamp };
  }

  #items({ argument }: Query, cursor: string, bytesMax: number): ItemsPart {
    const wanted = this.items.filter((item) => item.startsWith(argument));
    const items: Uint8Array[] = [];
    let at = Number(cursor || 0);
    for (let bytes = 0; at < wanted.length && bytes < bytesMax; at += 1) {
      items.push(Buffer.from(wanted[at] ?? ""));
      bytes += wanted[at]?.length ?? 0;
    }
    return { items, cursor: String(at), isEnd: at >= wanted.length };
  }
}

export class Rig {
  readonly peers: Peers<ClusterQueries>;
  /** Who has asked whom: `a b`. */
  readonly asked: string[] = [];
  /** How long whoever reads a stream takes for each batch. */
  pauseMs = 0;
  readonly #stores = new Map<string, ToyStore>();

  constructor(ids: readonly string[], seed = "queries", conditions: Partial<Conditions> = {}) {
    for (const id of ids) this.#stores.set(id, new ToyStore());
    this.peers = new Peers({ seed, ids, conditions, boot: (peer) => this.#boot(peer) });
  }

  store(id: string): ToyStore {
    return this.#stores.get(id) as ToyStore;
  }

  queries(id: string): ClusterQueries {
    return this.peers.program(id);
  }

  place(id: string): Place {
    return this.peers.view(id).self;
  }

  /** How often the one has asked the other. */
  timesAsked(by: string, whom: string): number {
    return this.asked.filter((pair) => pair === `${by} ${whom}`).length;
  }

  pass(virtualMs = 5000): this {
    this.peers.kernel.pass(virtualMs);
    return this;
  }

  /** Reads a stream to its end, or up to so many batches. */
  readStream(by: string, argument: string, cursor = "", batchesMax = 10_000): Streamed {
    const stream = this.queries(by).stream({ what: "items", argument }, cursor);
    const read: Streamed = { items: [], last: null };
    let batches = 0;
    const next = (): void =>
      stream.next((batch) => {
        read.last = batch;
        batches += 1;
        for (const item of batch.items) read.items.push(Buffer.from(item).toString());
        if (batch.from === null || batches >= batchesMax) stream.close();
        else if (this.pauseMs === 0) next();
        else this.peers.kernel.schedule(this.pauseMs, next);
      });
    next();
    this.pass(60_000);
    return read;
  }

  #boot({ id, life, messenger, view }: Peer): ClusterQueries {
    const { clock } = life;
    const watched: Pick<Messenger, "ask" | "serve"> = {
      serve: (type, listener) => messenger.serve(type, listener),
      ask: (place, ...question) => {
        this.asked.push(`${id} ${place.id}`);
        messenger.ask(place, ...question);
      },
    };
    const parts = { clock, messenger: watched, view, settings: SETTINGS };
    const queries = new ClusterQueries(parts);
    queries.start(this.store(id).local(clock), this.store(id).carryOut(clock));
    return queries;
  }
}

export interface Streamed {
  readonly items: string[];
  last: StreamBatch | null;
}
