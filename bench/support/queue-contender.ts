/**
 * What every store measured as a store of host queues does: takes URLs of many hosts, makes them
 * durable at checkpoints, and gives the oldest of one host out again, after which they are gone.
 */
export interface QueueContender {
  /** How many URLs are waiting. */
  readonly total: number;
  count(host: number): number;
  /** Puts a copy of the record into the queue of a host; serial numbers rise. */
  push(host: number, serial: number, record: Buffer): void;
  /** Called every thousand URLs: a store that gathers may write now, and wait when it is behind. */
  breathe(): Promise<void>;
  /** Resolves when everything so far would survive a crash of the machine. */
  checkpoint(): Promise<void>;
  /** Takes up to `recordsMax` records, the oldest first, and shows each to `sink`. */
  pull(host: number, recordsMax: number, sink: RecordSink): Promise<void>;
  close(): Promise<void>;
}

/** Is given the bytes [from, to) of each record; they are valid during the call only. */
export type RecordSink = (bytes: Uint8Array, from: number, to: number) => void;

export interface ContenderOptions {
  /** The store has this folder to itself. */
  readonly folder: string;
  readonly hosts: number;
  /** For what waits to be written; caches included. */
  readonly memoryBytes: number;
}

/**
 * Keys of stores that sort them: host and serial number, big-endian, so that the URLs of a host are
 * side by side, the oldest first.
 */
export const KEY_BYTES = 10;

export function writeKey(key: Buffer, host: number, serial: number): void {
  key.writeUInt32BE(host, 0);
  key.writeUIntBE(serial, 4, 6);
}

export function keyOf(host: number, serial: number): Buffer {
  const key = Buffer.allocUnsafe(KEY_BYTES);
  writeKey(key, host, serial);
  return key;
}

/**
 * What a store that only sorts must have told it: how many URLs each host has, and the serial number
 * at which its next one may be, so that a search does not begin among those that were removed.
 */
export class HostCursors {
  total = 0;
  readonly counts: Uint32Array;
  readonly nexts: Float64Array;

  constructor(hosts: number) {
    this.counts = new Uint32Array(hosts);
    this.nexts = new Float64Array(hosts);
  }

  added(host: number): void {
    this.counts[host] = (this.counts[host] as number) + 1;
    this.total += 1;
  }

  taken(host: number, records: number, lastSerial: number): void {
    this.counts[host] = (this.counts[host] as number) - records;
    this.nexts[host] = lastSerial + 1;
    this.total -= records;
  }
}
