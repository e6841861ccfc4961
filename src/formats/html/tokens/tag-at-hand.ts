/** The current tag of the tokenizer: one object for all tags, so that none is allocated. */
import type { StartTag } from "./token-sink.ts";

const NO_BYTES: Uint8Array = Buffer.alloc(0);

export class TagAtHand implements StartTag {
  id = 0;
  hash = 0;
  isEnd = false;
  bytes: Uint8Array = NO_BYTES;
  nameFrom = 0;
  nameTo = 0;
  end = 0;

  takeName({ id, hash }: TagAtHand): void {
    this.id = id;
    this.hash = hash;
  }

  /** The tag is cut off inside its name. */
  forgetName(): void {
    this.id = 0;
    this.hash = 0;
  }

  /** The bytes of the tag are gone. */
  forgetBytes(): void {
    this.bytes = NO_BYTES;
    this.nameFrom = 0;
    this.nameTo = 0;
    this.end = 0;
  }
}
