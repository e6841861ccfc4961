/**
 * Rows that go to another program. A pipe is written by the event loop and never by a blocking
 * call: a reader that stops reading must block neither other work nor the end of the process, as
 * Node's own standard output would.
 */
import { Socket } from "node:net";
import type { CrawlError } from "../../base/errors/index.ts";
import { rowError } from "./row-error.ts";
import type { RowSink } from "./row-sink.ts";

export class RowPipe implements RowSink {
  readonly #socket: Socket;
  readonly #name: string;
  #answer: ((error: NodeJS.ErrnoException | null) => void) | null = null;
  #isAbandoned = false;
  #error: NodeJS.ErrnoException | null = null;

  constructor(descriptor: number, name: string) {
    this.#name = name;
    this.#socket = new Socket({ fd: descriptor, readable: false, writable: true });
    this.#socket.on("error", (error) => this.#end(error));
    this.#socket.on("close", () => this.#end(gone()));
  }

  write(bytes: Uint8Array, done: (error: CrawlError | null, writtenBytes: number) => void): void {
    this.#answer = (error) => {
      this.#answer = null;
      if (error === null) done(null, bytes.length);
      else done(rowError(this.#isAbandoned ? gone() : error, this.#name), 0);
    };
    if (this.#error !== null) {
      const error = this.#error;
      setImmediate(() => this.#answer?.(error));
    } else this.#socket.write(bytes, (error) => this.#answer?.(error ?? null));
  }

  /** What a reader has received cannot be taken back. */
  cutTo(_lengthBytes: number, done: () => void): void {
    done();
  }

  close(done: (error: CrawlError | null) => void): void {
    if (this.#error !== null) done(null);
    else this.#socket.end(() => done(null));
  }

  abandon(): void {
    this.#isAbandoned = true;
    this.#socket.destroy();
  }

  #end(error: NodeJS.ErrnoException): void {
    this.#error ??= error;
    this.#answer?.(this.#error);
  }
}

function gone(): NodeJS.ErrnoException {
  return Object.assign(new Error("EPIPE: the reader is gone"), { code: "EPIPE" });
}
