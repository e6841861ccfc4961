/** A page on its way from another agent: its pieces, and what becomes of them when it is whole. */
import type { Acknowledge } from "../../../base/seams/index.ts";
import type { PageWriter } from "../../../cluster/pages/index.ts";
import { answerWith } from "../answer-with.ts";

export class ComingPage implements PageWriter {
  readonly #store: (bytes: Buffer) => Promise<void>;
  #pieces: Buffer[] = [];

  /** `store` is called once, unless the page is dropped. */
  constructor(store: (bytes: Buffer) => Promise<void>) {
    this.#store = store;
  }

  append(bytes: Uint8Array): void {
    this.#pieces.push(Buffer.from(bytes));
  }

  commit(done: Acknowledge): void {
    const bytes = Buffer.concat(this.#pieces);
    this.drop();
    answerWith<void>(
      (...[error]) => done(error),
      () => this.#store(bytes),
    );
  }

  drop(): void {
    this.#pieces = [];
  }
}
