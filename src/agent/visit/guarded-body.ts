/**
 * A body as those see it who work on it: its readers run behind the barrier of the page that it
 * belongs to, and a large one is read in pieces also where it lies in memory, so that no page takes
 * a whole turn of the event loop for itself.
 */
import type { Body, Done } from "../../base/seams/index.ts";

/** Longer bodies are worked on in pieces; 128 KiB take a millisecond or two. */
const AT_ONCE_BYTES_MAX = 128 * 1024;

/** The very body where it is short and in memory, since nobody is called back to read that. */
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
