/**
 * What the server of a synthetic web saw: one row for every request, in the order in which the
 * requests were complete, and one for every connection. A row takes about 45 bytes and its target, so that
 * a crawl of millions of pages is remembered whole; names that come again and again (hosts,
 * addresses, user agents) are kept once. Rows are kept in blocks, since growing one large array
 * would copy it.
 *
 * Instants are milliseconds of the server's monotonic clock.
 */
import assert from "node:assert/strict";
import { NameTable } from "./name-table.ts";
import { TextBlocks } from "./text-blocks.ts";

export interface RequestBegun {
  readonly host: string;
  /** The address that the client connected to. */
  readonly address: string;
  readonly target: string;
  readonly method: string;
  readonly userAgent: string;
  readonly connection: number;
  /** When its first byte came. */
  readonly startMs: number;
}

export interface RequestEnded {
  readonly status: number;
  /** Head and body together. */
  readonly bytesSent: number;
  readonly endMs: number;
  readonly ending: AnswerEnding;
  /** Whether a crawler may take this for a failure that passes and ask once more. */
  readonly isRetriable: boolean;
  /** What the answer asked for; 0 when it did not. */
  readonly retryAfterMs: number;
}

/**
 * `open`: not yet ended. `whole`: answered as meant. `broken`: cut or garbled by the server, as the
 * web wanted it. `left`: the client went away before the end.
 */
export type AnswerEnding = "open" | "whole" | "broken" | "left";

export interface AccessEntry extends RequestBegun, RequestEnded {
  readonly row: number;
  /** Positions in the tables of names, for counting by host or address. */
  readonly hostId: number;
  readonly addressId: number;
  readonly isRobots: boolean;
}

export interface ConnectionEntry {
  readonly address: string;
  readonly openedMs: number;
  /** Infinity while it is open. */
  readonly closedMs: number;
}

const ENDINGS: readonly AnswerEnding[] = ["open", "whole", "broken", "left"];
const METHODS: readonly string[] = ["OTHER", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];
/** About two gigabytes; what comes after it is counted and forgotten. */
const ROWS_MAX = 20_000_000;
const REFUSALS_MAX = 100;
/** Instead of a row or connection for which there was no room. */
const UNLOGGED = -1;
const BLOCK_BITS = 14;
const BLOCK_ROWS = 1 << BLOCK_BITS;
const U32_MAX = 2 ** 32 - 1;

/** The columns of some thousand rows. */
class RowBlock {
  readonly startMs = new Float64Array(BLOCK_ROWS);
  readonly endMs = new Float64Array(BLOCK_ROWS);
  readonly textAt = new Float64Array(BLOCK_ROWS);
  readonly textLength = new Uint16Array(BLOCK_ROWS);
  readonly host = new Uint32Array(BLOCK_ROWS);
  readonly address = new Uint32Array(BLOCK_ROWS);
  readonly userAgent = new Uint32Array(BLOCK_ROWS);
  readonly connection = new Uint32Array(BLOCK_ROWS);
  readonly bytesSent = new Uint32Array(BLOCK_ROWS);
  readonly status = new Uint16Array(BLOCK_ROWS);
  readonly method = new Uint8Array(BLOCK_ROWS);
  readonly ending = new Uint8Array(BLOCK_ROWS);
  readonly isRetriable = new Uint8Array(BLOCK_ROWS);
}

export class AccessLog {
  readonly #blocks: RowBlock[] = [];
  readonly #targets = new TextBlocks();
  readonly #hosts = new NameTable();
  readonly #addresses = new NameTable();
  readonly #userAgents = new NameTable();
  /** Few answers ask for a pause, so these are kept beside the columns. */
  readonly #retryAfterMs = new Map<number, number>();
  readonly #connections: { address: string; openedMs: number; closedMs: number }[] = [];
  readonly #rowsMax: number;
  readonly #refusals: string[] = [];
  #refusalCount = 0;
  #unlogged = 0;
  #size = 0;

  constructor(rowsMax: number = ROWS_MAX) {
    this.#rowsMax = rowsMax;
  }

  /** Requests that came when the log was full. */
  get unlogged(): number {
    return this.#unlogged;
  }

  /** Input that was refused because it was not a request, and why, for the first few. */
  get refusals(): { readonly count: number; readonly problems: readonly string[] } {
    return { count: this.#refusalCount, problems: this.#refusals };
  }

  refused(problem: string): void {
    this.#refusalCount += 1;
    if (this.#refusals.length < REFUSALS_MAX) this.#refusals.push(problem);
  }

  /** Number of requests that have begun. */
  get size(): number {
    return this.#size;
  }

  get hostCount(): number {
    return this.#hosts.size;
  }

  get connectionCount(): number {
    return this.#connections.length;
  }

  /** The number by which the connection's requests name it. */
  connectionOpened(address: string, openedMs: number): number {
    if (this.#connections.length >= this.#rowsMax) return UNLOGGED;
    this.#connections.push({ address, openedMs, closedMs: Number.POSITIVE_INFINITY });
    return this.#connections.length - 1;
  }

  connectionClosed(connection: number, closedMs: number): void {
    if (connection === UNLOGGED) return;
    const entry = this.#connections[connection];
    assert(entry !== undefined, "only a connection that was opened is closed");
    entry.closedMs = closedMs;
  }

  connections(): readonly ConnectionEntry[] {
    return this.#connections;
  }

  /** The row by which the request is to be ended. */
  begin(request: RequestBegun): number {
    if (this.#size >= this.#rowsMax) {
      this.#unlogged += 1;
      return UNLOGGED;
    }
    const row = this.#size;
    this.#size += 1;
    if (row >>> BLOCK_BITS === this.#blocks.length) this.#blocks.push(new RowBlock());
    const block = this.#block(row);
    const at = row & (BLOCK_ROWS - 1);
    block.startMs[at] = request.startMs;
    block.endMs[at] = Number.POSITIVE_INFINITY;
    block.textAt[at] = this.#targets.append(request.target);
    block.textLength[at] = request.target.length;
    block.host[at] = this.#hosts.idOf(request.host);
    block.address[at] = this.#addresses.idOf(request.address);
    block.userAgent[at] = this.#userAgents.idOf(request.userAgent);
    block.connection[at] = Math.max(0, request.connection);
    block.method[at] = methodId(request.method);
    return row;
  }

  end(row: number, ended: RequestEnded): void {
    if (row === UNLOGGED) return;
    assert(row >= 0 && row < this.#size, "only a request that has begun is ended");
    const block = this.#block(row);
    const at = row & (BLOCK_ROWS - 1);
    block.endMs[at] = ended.endMs;
    block.status[at] = ended.status;
    block.bytesSent[at] = Math.min(ended.bytesSent, U32_MAX);
    block.ending[at] = ENDINGS.indexOf(ended.ending);
    block.isRetriable[at] = ended.isRetriable ? 1 : 0;
    if (ended.retryAfterMs > 0) this.#retryAfterMs.set(row, ended.retryAfterMs);
  }

  entry(row: number): AccessEntry {
    const block = this.#block(row);
    const at = row & (BLOCK_ROWS - 1);
    const hostId = block.host[at] ?? 0;
    const addressId = block.address[at] ?? 0;
    const target = this.#targets.read(block.textAt[at] ?? 0, block.textLength[at] ?? 0);
    return {
      row,
      host: this.#hosts.nameOf(hostId),
      hostId,
      address: this.#addresses.nameOf(addressId),
      addressId,
      target,
      isRobots: target === "/robots.txt",
      method: METHODS[block.method[at] ?? 0] ?? "OTHER",
      userAgent: this.#userAgents.nameOf(block.userAgent[at] ?? 0),
      connection: block.connection[at] ?? 0,
      startMs: block.startMs[at] ?? 0,
      endMs: block.endMs[at] ?? 0,
      status: block.status[at] ?? 0,
      bytesSent: block.bytesSent[at] ?? 0,
      ending: ENDINGS[block.ending[at] ?? 0] ?? "open",
      isRetriable: block.isRetriable[at] === 1,
      retryAfterMs: this.#retryAfterMs.get(row) ?? 0,
    };
  }

  /** When the request of this row began. */
  startMs(row: number): number {
    return this.#block(row).startMs[row & (BLOCK_ROWS - 1)] ?? 0;
  }

  *entries(fromRow = 0): Generator<AccessEntry> {
    for (let row = fromRow; row < this.#size; row += 1) yield this.entry(row);
  }

  #block(row: number): RowBlock {
    const block = this.#blocks[row >>> BLOCK_BITS];
    assert(block !== undefined, "a row of the log lies in a block");
    return block;
  }
}

function methodId(method: string): number {
  return Math.max(0, METHODS.indexOf(method));
}
