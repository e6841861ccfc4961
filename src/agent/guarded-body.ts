/** A body whose readers run behind the barrier of the page that it belongs to. */
import type { Body, Done } from "../seams/index.ts";

/** The very body where it lies in memory, since nobody is called back to read that. */
export function guardedBody(body: Body, guard: (work: () => void) => void): Body {
  return body.bytes === null ? new GuardedBody(body, guard) : body;
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
