/**
 * A body as its readers see it: they run behind the barrier of the page that it belongs to, and a
 * large body is read in pieces even if it is in memory, so that no page takes a long turn of the
 * event loop.
 */
import type { Body, Done } from "../../base/seams/index.ts";

/** Longer bodies are read in pieces; 128 KiB take a millisecond or two. */
const AT_ONCE_BYTES_MAX = 128 * 1024;

/** The body itself if it is short and in memory, since reading it needs no callback. */
export function guardedBody(body: Body, guard: (work: () => void) => void): Body {
  const isReadAtOnce = body.bytes !== null && body.lengthBytes <= AT_ONCE_BYTES_MAX;
  return isReadAtOnce ? body : new GuardedBody(body, guard);
}

class GuardedBody implements Body {
  readonly bytes: null = null;
  readonly #body: Body;
  readonly #guard: (work: () => void) => void;

  constructor(body: Body, guard: (work: () => void) => void) {
    this.#body = body;
    this.#guard = guard;
  }

  get lengthBytes(): number {
    return this.#body.lengthBytes;
  }

  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void {
    this.#body.read(offset, lengthBytes, (...answer) => this.#guard(() => done(...answer)));
  }

  release(): void {
    this.#body.release();
  }
}
