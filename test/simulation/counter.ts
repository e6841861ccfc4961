/**
 * A toy to test the simulator with: a counter kept by several replicas. A client may ask any of them
 * to count an *increment*, named by an id; it is answered once the increment is on that replica's
 * disk. The replica tells its peers in numbered batches, again and again until each has
 * acknowledged. It shows in small what the cluster does in large: nothing is said before it is
 * durable, everything received may be received again, and messages of an earlier life of a node do
 * not count.
 *
 * Each `Bug` takes one of these rules away; the simulator must notice.
 */
import type { Clock, Storage } from "../../src/base/seams/index.ts";
import type { AgentId, Transport } from "../../src/base/transport/index.ts";

export type Bug =
  | "acknowledges before it is durable"
  | "counts a repeated increment again"
  | "believes acknowledgements of an earlier life"
  | "forgets on restart what its peers lack"
  | "measures time-outs by the wall clock"
  | "sends every batch only once";

/** All that the counter asks of a storage. */
export type CounterStorage = Pick<Storage, "readWhole" | "replace">;

export interface CounterParts {
  readonly clock: Clock;
  readonly storage: CounterStorage;
  readonly transport: Transport;
  readonly peers: readonly AgentId[];
  readonly bug: Bug | null;
}

/** What is on disk, and what is sent to a peer. */
interface Durable {
  readonly incarnation: number;
  readonly total: number;
  readonly ids: readonly string[];
}

interface Batch {
  readonly incarnation: number;
  readonly number: number;
  readonly ids: readonly string[];
}

/** Sent back as a message of its own, so that it can arrive late, in another life. */
type Receipt = Omit<Batch, "ids">;

const FILE = "counter";
const TICK_MS = 100;
const RESEND_MS = 300;
const MESSAGE_TIMEOUT_MS = 1000;
const DISK_RETRY_MS = 100;

export class Counter {
  readonly #parts: CounterParts;
  readonly #ids = new Set<string>();
  /** Increments that this replica has to tell the others. */
  readonly #ours = new Set<string>();
  readonly #peers = new Map<AgentId, Peer>();
  #incarnation = 0;
  #total = 0;
  /** To be called when the present state is on disk; then those that came meanwhile. */
  #awaitingDisk: (() => void)[] = [];
  #isWriting = false;
  /** Grows with every change of what this replica knows or believes. */
  version = 0;

  constructor(parts: CounterParts) {
    this.#parts = parts;
    for (const id of parts.peers) this.#peers.set(id, new Peer());
    this.#recover();
  }

  get total(): number {
    return this.#total;
  }

  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** Whether this replica takes it for certain that the peer has the increment on its disk. */
  believesHas(peer: AgentId, id: string): boolean {
    return this.#peers.get(peer)?.has.has(id) === true;
  }

  #recover(): void {
    this.#parts.storage.readWhole(FILE, (...outcome) => {
      const [error, bytes] = outcome;
      if (error === null) this.#restore(decode<Durable>(bytes));
      else if (error.code !== "STORAGE_MISSING") throw error;
      this.#incarnation += 1;
      this.#onceDurable(() => this.#serve());
    });
  }

  #restore(durable: Durable): void {
    this.#incarnation = durable.incarnation;
    this.#total = durable.total;
    for (const id of durable.ids) this.#ids.add(id);
    this.version += 1;
    if (this.#parts.bug === "forgets on restart what its peers lack") return;
    // Who had acknowledged what is not kept: everything is told again.
    for (const id of this.#ids) this.#ours.add(id);
  }

  #serve(): void {
    const { transport } = this.#parts;
    transport.serve("increment", (_from, body, respond) => {
      const id = decode<string>(body);
      this.#count(id);
      this.#ours.add(id);
      if (this.#parts.bug === "acknowledges before it is durable") respond(NOTHING);
      this.#onceDurable(() => respond(NOTHING));
    });
    transport.serve("batch", (from, body, respond) => {
      respond(NOTHING);
      this.#takeBatch(from, decode<Batch>(body));
    });
    transport.serve("receipt", (from, body, respond) => {
      respond(NOTHING);
      this.#takeReceipt(from, decode<Receipt>(body));
    });
    this.#tick();
  }

  #count(id: string): void {
    if (this.#ids.has(id) && this.#parts.bug !== "counts a repeated increment again") return;
    this.#total += 1;
    this.#ids.add(id);
    this.version += 1;
  }

  #takeBatch(from: AgentId, batch: Batch): void {
    for (const id of batch.ids) this.#count(id);
    // What it tells is durable on its side, so it need not be told.
    for (const id of batch.ids) this.#peers.get(from)?.has.add(id);
    this.version += 1;
    const { incarnation, number } = batch;
    this.#onceDurable(() => this.#tell(from, "receipt", { incarnation, number }));
  }

  #takeReceipt(from: AgentId, receipt: Receipt): void {
    const isOurs = receipt.incarnation === this.#incarnation;
    if (!isOurs && this.#parts.bug !== "believes acknowledgements of an earlier life") return;
    this.version += 1;
    this.#peers.get(from)?.hasReceived(receipt.number);
  }

  #tick(): void {
    for (const [id, peer] of this.#peers) this.#sendTo(id, peer);
    this.#parts.clock.after(TICK_MS, () => this.#tick());
  }

  /** Only what is durable here is told to anybody: a batch is sent once the disk has it. */
  #sendTo(id: AgentId, peer: Peer): void {
    const { bug, clock } = this.#parts;
    const nowMs = bug === "measures time-outs by the wall clock" ? clock.wallMs() : clock.nowMs();
    if (peer.sentAtMs !== null && nowMs - peer.sentAtMs < RESEND_MS) return;
    const onlyOnce = bug === "sends every batch only once";
    const isDue = (one: string): boolean => !peer.has.has(one) && !(onlyOnce && peer.wasSent(one));
    const ids = [...this.#ours].filter(isDue);
    if (ids.length === 0) return;
    peer.sentAtMs = nowMs;
    const number = peer.nextBatch(ids);
    this.#onceDurable(() =>
      this.#tell(id, "batch", { incarnation: this.#incarnation, number, ids }),
    );
  }

  #tell(to: AgentId, kind: string, content: Batch | Receipt): void {
    const message = { kind, body: encode(content) };
    this.#parts.transport.request(to, message, MESSAGE_TIMEOUT_MS, () => {});
  }

  #onceDurable(then: () => void): void {
    this.#awaitingDisk.push(then);
    this.#write();
  }

  #write(): void {
    if (this.#isWriting || this.#awaitingDisk.length === 0) return;
    this.#isWriting = true;
    const served = this.#awaitingDisk;
    this.#awaitingDisk = [];
    const durable = { incarnation: this.#incarnation, total: this.#total, ids: [...this.#ids] };
    this.#parts.storage.replace(FILE, encode(durable), (error) => {
      if (error === null) {
        this.#isWriting = false;
        for (const then of served) then();
        this.#write();
        return;
      }
      this.#awaitingDisk = [...served, ...this.#awaitingDisk];
      this.#parts.clock.after(DISK_RETRY_MS, () => {
        this.#isWriting = false;
        this.#write();
      });
    });
  }
}

/** What a replica knows of one other. */
class Peer {
  /** Increments that it has acknowledged, or told us of. */
  readonly has = new Set<string>();
  readonly #batches: (readonly string[])[] = [];
  sentAtMs: number | null = null;

  /** Notes what is sent and returns the number of the batch, from 1. */
  nextBatch(ids: readonly string[]): number {
    return this.#batches.push(ids);
  }

  wasSent(id: string): boolean {
    return this.#batches.some((batch) => batch.includes(id));
  }

  hasReceived(number: number): void {
    for (const id of this.#batches[number - 1] ?? []) this.has.add(id);
  }
}

/** The increments that a file of the counter holds. */
export function durableIds(bytes: Uint8Array | undefined): readonly string[] {
  return bytes === undefined ? [] : decode<Durable>(bytes).ids;
}

export const COUNTER_FILE: string = FILE;

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encode(content: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(content));
}

function decode<Content>(bytes: Uint8Array): Content {
  return JSON.parse(decoder.decode(bytes));
}
