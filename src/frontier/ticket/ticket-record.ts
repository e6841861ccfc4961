/**
 * Tickets as bytes, the form in which they pass the sieve and wait in queues:
 *
 *     sieve record  = host length (2 bytes) · host · queue record
 *     queue record  = flags · high · low (4 bytes each) · [port (2)] · [priority (8)]
 *                     · depth · redirects · attempt · [requisite] · [hostDepth] (variable)
 *                     · path length (variable) · path · via
 *     via           = characters shared with the beginning of the URL (variable) · the rest, UTF-8
 *
 * The queue record is the end of the sieve record, so that nothing is written twice; the host of a
 * queue is known. Numbers are little-endian; variable ones have seven bits a byte, the
 * last byte below 128. A link mostly leads to the host it stands on, so `via` shares much.
 *
 * One writer and one reader are reused for all tickets: what they point at is valid until the next
 * call.
 *
 * The scheme of a protocol module has no number: it stands in front of the path, whose first slash
 * ends it.
 */
import assert from "node:assert/strict";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type FetchableUrl, type HostName, hostOf, originOf } from "../../formats/url/index.ts";
import { pairOfDepths, RECORD_BYTES_MAX } from "../sieve/index.ts";
import type { OfferedTicket, Ticket } from "./ticket.ts";

/** A ticket with what the frontier adds to it while it waits. */
export interface WaitingTicket extends OfferedTicket {
  /** Fetches that have failed so far. */
  readonly attempt: number;
}

const SCHEMES = ["http://", "https://", "file://"] as const;
/** Instead of a number from `SCHEMES`: the scheme is in front of the path. */
const NAMED_SCHEME = 3;
const SCHEME_BITS = 3;
const HAS_PORT = 4;
const HAS_DOT = 8;
const HAS_PRIORITY = 16;
const IS_REQUISITE = 32;
const HAS_HOST_DEPTH = 64;
const HAS_ENDED = 128;

/** What a record may take in addition to host, path and via. */
const FRAME_BYTES_MAX = 64;

export class TicketWriter {
  /** The record written last; not a Buffer, whose `slice` does not copy. */
  readonly bytes: Uint8Array = new Uint8Array(RECORD_BYTES_MAX);
  readonly #buffer: Buffer = Buffer.from(this.bytes.buffer);
  /** Where the queue record begins. */
  queueFrom = 0;
  to = 0;

  /**
   * Writes a ticket into `bytes`: the sieve record from 0, the queue record from `queueFrom`, both up
   * to `to`. Returns false for a URL that is too long for any record.
   */
  tryWrite(ticket: OfferedTicket, attempt: number): boolean {
    const { url } = ticket;
    if (url.length + FRAME_BYTES_MAX > RECORD_BYTES_MAX) return false;
    const written = hostOf(url);
    const host = politeHost(written);
    this.#buffer.writeUInt16LE(host.length, 0);
    this.queueFrom = 2 + this.#buffer.write(host, 2, "latin1");
    this.to = this.queueFrom;
    const pathAt = this.#writeFixed(ticket, written);
    const isNamed = ((this.bytes[this.queueFrom] as number) & SCHEME_BITS) === NAMED_SCHEME;
    const tail = isNamed ? url.slice(0, url.indexOf(":")) + url.slice(pathAt) : url.slice(pathAt);
    this.#writeVariable(ticket.depth);
    this.#writeVariable(ticket.redirects);
    this.#writeVariable(attempt);
    if (ticket.requisite !== undefined && ticket.requisite > 0) {
      this.#writeVariable(ticket.requisite);
    }
    if (ticket.hostDepth !== undefined) this.#writeVariable(ticket.hostDepth);
    this.#writeVariable(tail.length);
    this.to += this.#buffer.write(tail, this.to, "latin1");
    this.#writeVia(ticket);
    return true;
  }

  /** Returns where the path begins in the URL. */
  #writeFixed(ticket: OfferedTicket, host: HostName): number {
    const { url, high, low, priority, requisite, hostDepth } = ticket;
    const bytes = this.#buffer;
    const flagsAt = this.to;
    bytes.writeUInt32LE(high, flagsAt + 1);
    bytes.writeUInt32LE(low, flagsAt + 5);
    this.to += 9;
    let flags = schemeOf(url);
    if (host.endsWith(".")) flags |= HAS_DOT;
    const hostTo = url.indexOf(":") + "://".length + host.length;
    const pathAt = originOf(url).length;
    if (pathAt > hostTo) {
      flags |= HAS_PORT;
      this.to = bytes.writeUInt16LE(Number(url.slice(hostTo + 1, pathAt)), this.to);
    }
    if (priority !== 0) {
      flags |= HAS_PRIORITY;
      this.to = bytes.writeDoubleLE(priority, this.to);
    }
    if (requisite !== undefined && requisite > 0) flags |= IS_REQUISITE;
    if (hostDepth !== undefined) flags |= HAS_HOST_DEPTH;
    if (ticket.hasEnded === true) flags |= HAS_ENDED;
    bytes[flagsAt] = flags;
    return pathAt;
  }

  /** Leaves out a via for which there is no room: it only informs people. */
  #writeVia({ url, via }: Ticket): void {
    const text = via ?? "";
    const shared = sharedLength(url, text);
    const rest = text.slice(shared);
    const hasRoom = this.to + 3 + Buffer.byteLength(rest) <= RECORD_BYTES_MAX;
    this.#writeVariable(hasRoom ? shared : 0);
    if (hasRoom) this.to += this.#buffer.write(rest, this.to, "utf8");
  }

  #writeVariable(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.to] = (rest & 0x7f) | 0x80;
      this.to += 1;
      rest >>>= 7;
    }
    this.bytes[this.to] = rest;
    this.to += 1;
  }
}

/** The place of the URL's scheme in `SCHEMES`, or `NAMED_SCHEME`. */
function schemeOf(url: FetchableUrl): number {
  if (url.startsWith("https:")) return 1;
  if (url.startsWith("http:")) return 0;
  if (url.startsWith("file:")) return 2;
  assert(url.includes("://"), "a URL in the frontier has a scheme that can be fetched");
  return NAMED_SCHEME;
}

/** Where the queue record begins in the sieve record that begins at `from`. */
export function queueRecordFrom(bytes: Uint8Array, from: number): number {
  return from + 2 + ((bytes[from] as number) | ((bytes[from + 1] as number) << 8));
}

/** The host in a sieve record. */
export function hostInRecord(bytes: Buffer, from: number): HostName {
  return bytes.toString("latin1", from + 2, queueRecordFrom(bytes, from)) as HostName;
}

/**
 * The host as politeness counts it: `example.org.` and `example.org` are one. What is sent keeps the
 * dot.
 */
export function politeHost(host: HostName): HostName {
  return (host.endsWith(".") ? host.slice(0, -1) : host) as HostName;
}

class RecordReader {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;

  variable(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at] as number;
      this.at += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }
}

const reader = new RecordReader();

/** Reads the queue record [from, to) of a host. */
export function readTicket(host: HostName, bytes: Buffer, from: number, to: number): WaitingTicket {
  const flags = bytes[from] as number;
  const high = bytes.readUInt32LE(from + 1);
  const low = bytes.readUInt32LE(from + 5);
  let at = from + 9;
  const dot = (flags & HAS_DOT) === 0 ? "" : ".";
  let port = "";
  if ((flags & HAS_PORT) !== 0) {
    port = `:${bytes.readUInt16LE(at)}`;
    at += 2;
  }
  let priority = 0;
  if ((flags & HAS_PRIORITY) !== 0) {
    priority = bytes.readDoubleLE(at);
    at += 8;
  }
  reader.bytes = bytes;
  reader.at = at;
  const depth = reader.variable();
  const redirects = reader.variable();
  const attempt = reader.variable();
  const requisite = (flags & IS_REQUISITE) === 0 ? 0 : reader.variable();
  const hostDepth = (flags & HAS_HOST_DEPTH) === 0 ? undefined : reader.variable();
  const pathTo = reader.variable() + reader.at;
  const path = bytes.toString("latin1", reader.at, pathTo);
  const place = `${host}${dot}${port}`;
  const scheme = SCHEMES[flags & SCHEME_BITS];
  const url = scheme === undefined ? namedUrl(place, path) : `${scheme}${place}${path}`;
  reader.at = pathTo;
  const shared = reader.variable();
  const via = url.slice(0, shared) + bytes.toString("utf8", reader.at, to) || null;
  const ticket = { url: url as FetchableUrl, high, low, depth, via, redirects, priority, attempt };
  if (requisite === 0 && hostDepth === undefined && !isEndedRecord(bytes, from)) return ticket;
  return {
    ...ticket,
    ...(isEndedRecord(bytes, from) ? { hasEnded: true } : {}),
    ...(requisite === 0 ? {} : { requisite }),
    ...(hostDepth === undefined ? {} : { hostDepth }),
  };
}

/** Of a queue record. */
export function fingerprintInRecord(bytes: Buffer): Fingerprint {
  return { high: bytes.readUInt32LE(1), low: bytes.readUInt32LE(5) };
}

/** The path has its scheme in front. */
function namedUrl(place: string, path: string): string {
  const pathAt = path.indexOf("/");
  return `${path.slice(0, pathAt)}://${place}${path.slice(pathAt)}`;
}

function sharedLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

/** Whether a queue record is of a page that had ended when it was offered. */
export function isEndedRecord(bytes: Uint8Array, from: number): boolean {
  return ((bytes[from] as number) & HAS_ENDED) !== 0;
}

/** Whether a queue record is of a requisite. */
export function isRequisiteRecord(bytes: Uint8Array, from: number): boolean {
  return ((bytes[from] as number) & IS_REQUISITE) !== 0;
}

/** The upper half of the fingerprint in a queue record. */
export function highInRecord(bytes: Buffer, from: number): number {
  return bytes.readUInt32LE(from + 1);
}

/** The depth in a queue record; with the steps inside its host, where these are kept, as a pair. */
export function depthInRecord(bytes: Buffer, from: number): number {
  const flags = bytes[from] as number;
  reader.bytes = bytes;
  reader.at = from + 9;
  if ((flags & HAS_PORT) !== 0) reader.at += 2;
  if ((flags & HAS_PRIORITY) !== 0) reader.at += 8;
  const depth = reader.variable();
  if ((flags & HAS_HOST_DEPTH) === 0) return depth;
  // Redirects, attempts and steps beyond a page lie between.
  const between = (flags & IS_REQUISITE) === 0 ? 2 : 3;
  for (let skipped = 0; skipped < between; skipped += 1) reader.variable();
  return pairOfDepths(depth, reader.variable());
}

/** The priority in a queue record. */
export function priorityInRecord(bytes: Buffer, from: number): number {
  const flags = bytes[from] as number;
  if ((flags & HAS_PRIORITY) === 0) return 0;
  return bytes.readDoubleLE(from + 9 + ((flags & HAS_PORT) === 0 ? 0 : 2));
}
