/**
 * The least that a fetcher can do, as a floor for measurements: bare sockets that share one read
 * buffer, answers with `Content-Length` only, no limits, no TLS, no defence. A connection is used
 * for one host, for at most so many requests, and bodies lie in memory that is used again.
 */
import { connect, type Socket } from "node:net";
import type {
  Body,
  Done,
  Fetcher,
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
  Header,
} from "../src/seams/index.ts";

const READ_BYTES = 64 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const NOTHING_TO_CANCEL: FetchInFlight = { cancel: () => {} };

type Fetched = (outcome: FetchOutcome) => void;

export class RawFetcher implements Fetcher {
  readonly #requestsMax: number;
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  readonly #idle = new Map<string, RawConnection>();
  readonly #free: Buffer[] = [];

  constructor(requestsPerConnection: number) {
    this.#requestsMax = requestsPerConnection;
  }

  fetch(request: FetchRequest, fetched: Fetched): FetchInFlight {
    const { host, port, pathname, search } = new URL(request.url);
    const place = `${host} ${request.address}`;
    const connection = this.#idle.get(place) ?? this.#open(place, request.address, Number(port));
    this.#idle.delete(place);
    let head = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n`;
    for (const [name, value] of request.headers) head += `${name}: ${value}\r\n`;
    connection.ask(`${head}\r\n`, fetched);
    return NOTHING_TO_CANCEL;
  }

  #open(place: string, address: string, port: number): RawConnection {
    return new RawConnection({
      address,
      port,
      requestsMax: this.#requestsMax,
      buffer: this.#buffer,
      free: this.#free,
      idle: (connection) => this.#idle.set(place, connection),
    });
  }
}

interface ConnectionOptions {
  readonly address: string;
  readonly port: number;
  readonly requestsMax: number;
  readonly buffer: Buffer;
  /** Memory of bodies that were released. */
  readonly free: Buffer[];
  readonly idle: (connection: RawConnection) => void;
}

interface Head {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
  readonly length: number;
}

class RawConnection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  #requests = 0;
  #fetched: Fetched | null = null;
  #head: Head | null = null;
  #carried: Buffer = Buffer.alloc(0);
  #body: Buffer = Buffer.alloc(0);
  #received = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#socket = connect({
      host: options.address,
      port: options.port,
      noDelay: true,
      onread: { buffer: options.buffer, callback: (count) => this.#read(count) },
    });
    this.#socket.on("error", (error) => {
      throw error;
    });
  }

  ask(request: string, fetched: Fetched): void {
    this.#requests += 1;
    this.#fetched = fetched;
    this.#socket.write(request, "latin1");
  }

  #read(count: number): boolean {
    const bytes = this.#options.buffer.subarray(0, count);
    if (this.#head === null) this.#readHead(bytes);
    else this.#readBody(bytes);
    return true;
  }

  #readHead(piece: Buffer): void {
    const bytes = this.#carried.length === 0 ? piece : Buffer.concat([this.#carried, piece]);
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) {
      this.#carried = Buffer.from(bytes);
      return;
    }
    this.#carried = Buffer.alloc(0);
    this.#head = parsedHead(bytes.toString("latin1", 0, end));
    const { length } = this.#head;
    const kept = this.#options.free.pop();
    this.#body =
      kept !== undefined && kept.length >= length ? kept : Buffer.allocUnsafeSlow(length);
    this.#received = 0;
    this.#readBody(bytes.subarray(end + 4));
  }

  #readBody(piece: Buffer): void {
    this.#body.set(piece, this.#received);
    this.#received += piece.length;
    const head = this.#head as Head;
    if (this.#received === head.length) this.#finish(head);
  }

  #finish({ status, reason, headers, length }: Head): void {
    const fetched = this.#fetched as Fetched;
    this.#head = null;
    if (this.#requests === this.#options.requestsMax) this.#socket.destroy();
    else this.#options.idle(this);
    const body = new RawBody(this.#body, length, this.#options.free);
    fetched({ kind: "fetched", status, reason, headers, body, answerMs: 0, truncatedBy: null });
  }
}

function parsedHead(text: string): Head {
  const lines = text.split("\r\n");
  const headers: Header[] = [];
  let length = 0;
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] as string;
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    headers.push([name, value]);
    if (name.length === 14 && name.toLowerCase() === "content-length") length = Number(value);
  }
  const first = lines[0] as string;
  return { status: Number(first.slice(9, 12)), reason: first.slice(13), headers, length };
}

class RawBody implements Body {
  readonly bytes: Uint8Array;
  readonly lengthBytes: number;
  readonly #memory: Buffer;
  readonly #free: Buffer[];

  constructor(memory: Buffer, length: number, free: Buffer[]) {
    this.bytes = memory.subarray(0, length);
    this.lengthBytes = length;
    this.#memory = memory;
    this.#free = free;
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    const piece = this.bytes.slice(offset, offset + lengthBytes);
    queueMicrotask(() => done(null, piece));
  }

  release(): void {
    this.#free.push(this.#memory);
  }
}
