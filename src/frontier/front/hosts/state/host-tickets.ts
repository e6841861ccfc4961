/**
 * The tickets of a host that are in memory, in the order in which they are looked at: the *head*,
 * which was looked at before and had to wait; retries whose instant has come; and the records of the
 * window. Everything else of the host waits in its queue.
 */
import type { HostName } from "../../../../formats/url/index.ts";
import { bandOf, type RecordBatch } from "../../../queues/index.ts";
import { priorityInRecord, readTicket, type WaitingTicket } from "../../../ticket/index.ts";
import type { CheckpointClock, SavedInstant } from "../../saving/checkpoint-clock.ts";
import { RecordWindow } from "./record-window.ts";
import type { Supply } from "./visit-home.ts";

interface RetryTicket {
  readonly ticket: WaitingTicket;
  readonly atMs: number;
}

/** Queue records in base64. */
export interface SavedTickets {
  readonly head: string | null;
  readonly retries: readonly (readonly [at: SavedInstant, record: string])[];
  readonly window: readonly string[];
}

/** The queue record of a ticket, in base64. */
export type SaveTicket = (ticket: WaitingTicket) => string;

/** When this many URLs of a host wait for another try, no new one is begun. */
const RETRIES_MAX = 64;
/** What a ticket takes in memory in addition to its texts. */
const TICKET_BYTES = 250;

export class HostTickets {
  readonly #read: (bytes: Buffer, from: number, to: number) => WaitingTicket;
  readonly #changing: () => void;
  readonly #window = new RecordWindow();
  /** By instant. */
  readonly #retries: RetryTicket[] = [];
  #head: WaitingTicket | null = null;

  /** `changing` is called before anything changes that a checkpoint has. */
  constructor(host: HostName, changing: () => void = () => undefined) {
    this.#changing = changing;
    this.#read = (bytes, from, to) => readTicket(host, bytes, from, to);
  }

  get count(): number {
    return this.#window.count + this.#retries.length + (this.#head === null ? 0 : 1);
  }

  /** Records that were not looked at yet. */
  get records(): number {
    return this.#window.count;
  }

  /** Whether a ticket can be looked at before the first retry is due. */
  get hasNext(): boolean {
    return this.#head !== null || this.#mayBegin;
  }

  /** When the first retry is due; null when there is none. */
  get retryAtMs(): number | null {
    return this.#retries[0]?.atMs ?? null;
  }

  /** The priority of the ticket that comes first. */
  get priority(): number {
    if (this.#head !== null) return this.#head.priority;
    if (this.#window.count > 0) return this.#window.peek(priorityInRecord);
    return this.#retries[0]?.ticket.priority ?? 0;
  }

  get heldBytes(): number {
    let bytes = this.#window.heldBytes;
    if (this.#head !== null) bytes += ticketBytes(this.#head);
    for (const { ticket } of this.#retries) bytes += ticketBytes(ticket);
    return bytes;
  }

  /** A ticket that is out on a flight goes first: nothing is known of how that ends. */
  save(flying: WaitingTicket | null, clock: CheckpointClock, save: SaveTicket): SavedTickets {
    const head = flying ?? this.#head;
    return {
      head: head === null ? null : save(head),
      retries: this.#retries.map(({ ticket, atMs }) => [clock.save(atMs), save(ticket)]),
      window: this.#window.records().map((record) => record.toString("base64")),
    };
  }

  restore({ head, retries, window }: SavedTickets, clock: CheckpointClock): void {
    if (head !== null) this.#head = this.#readSaved(head);
    for (const [at, record] of retries) this.retry(this.#readSaved(record), clock.restore(at));
    for (const record of window) {
      const bytes = Buffer.from(record, "base64");
      this.append(bytes, 0, bytes.length);
    }
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    this.#changing();
    this.#window.append(bytes, from, to);
  }

  appendAll(batch: RecordBatch): void {
    this.#changing();
    for (let at = 0; at < batch.count; at += 1) {
      this.#window.append(batch.bytes, batch.startOf(at), batch.endOf(at));
    }
  }

  /** Queues the first record again if one of this priority goes before it; whether it did. */
  giveBackOutrun({ order, queues }: Supply, number: number, priority: number): boolean {
    if (order === "fifo" || this.#window.count === 0) return false;
    const own = this.#window.peek(priorityInRecord);
    if (order !== "lifo" && bandOf(priority) <= bandOf(own)) return false;
    this.#changing();
    this.#window.take((bytes, from, to) => queues.push(number, bytes, from, to, own));
    return true;
  }

  /** The ticket is the next one to be looked at. */
  putBack(ticket: WaitingTicket): void {
    this.#changing();
    this.#head = ticket;
  }

  retry(ticket: WaitingTicket, atMs: number): void {
    this.#changing();
    let at = this.#retries.length;
    while (at > 0 && (this.#retries[at - 1] as RetryTicket).atMs > atMs) at -= 1;
    this.#retries.splice(at, 0, { ticket, atMs });
  }

  /** The next ticket to be looked at, taken out; null when all there are must wait. */
  take(nowMs: number): WaitingTicket | null {
    this.#changing();
    const head = this.#head;
    const retry = this.#retries[0];
    if (head !== null) {
      this.#head = null;
      return head;
    }
    if (retry !== undefined && retry.atMs <= nowMs) {
      this.#retries.shift();
      return retry.ticket;
    }
    return this.#mayBegin ? this.#window.take(this.#read) : null;
  }

  /** Removes refused tickets up to the first that is not; looks at `looksMax` at most. */
  weed(isRefused: (ticket: WaitingTicket) => boolean, looksMax: number, nowMs: number): void {
    for (let looks = 0; looks < looksMax; looks += 1) {
      const ticket = this.take(nowMs);
      if (ticket === null) return;
      if (isRefused(ticket)) continue;
      this.putBack(ticket);
      return;
    }
  }

  /** Any ticket, taken out; null when there is none. */
  takeAny(): WaitingTicket | null {
    this.#changing();
    const waiting = this.#head ?? this.#retries.shift()?.ticket ?? null;
    this.#head = null;
    if (waiting !== null || this.#window.count === 0) return waiting;
    return this.#window.take(this.#read);
  }

  #readSaved(record: string): WaitingTicket {
    const bytes = Buffer.from(record, "base64");
    return this.#read(bytes, 0, bytes.length);
  }

  get #mayBegin(): boolean {
    return this.#window.count > 0 && this.#retries.length < RETRIES_MAX;
  }
}

function ticketBytes({ url, via }: WaitingTicket): number {
  return TICKET_BYTES + url.length + (via?.length ?? 0);
}
