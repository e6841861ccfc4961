/**
 * The producers' end of a lane: encodes the blocks that it takes in, and posts what one turn of the event
 * loop brought as one buffer, or several if there is much. Nothing is done for an item but its encoding.
 *
 * An item that its codec cannot write is reported and left out; the others of its block go.
 */
import assert from "node:assert/strict";
import { type CrawlError, faultOf } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Inlet } from "../connector/index.ts";
import { ByteWriter, type Codec, type ItemType } from "../items/index.ts";
import { CreditIntake } from "./credit-intake.ts";
import type { LaneCredit, LaneLoad, Port } from "./port.ts";

/** A buffer is posted when it has this many bytes; fewer wait for the end of the turn. */
const LOAD_BYTES = 64 * 1024;

export interface LaneSenderParts<Item> {
  readonly type: ItemType<Item>;
  /** Items on the way and waiting at the other end, at most. */
  readonly capacity: number;
  readonly port: Port<LaneLoad, LaneCredit>;
  readonly clock: Clock;
  /** Told of an item that cannot be encoded. */
  readonly report: (error: CrawlError) => void;
}

export class LaneSender<Item> {
  readonly #parts: LaneSenderParts<Item>;
  readonly #codec: Codec<Item>;
  readonly #intake: CreditIntake<Item>;
  readonly #writer = new ByteWriter();
  #isDue = false;

  constructor(parts: LaneSenderParts<Item>) {
    const { type, capacity, port } = parts;
    assert(type.codec !== null, "what leaves its thread can be encoded");
    this.#parts = parts;
    this.#codec = type.codec;
    this.#intake = new CreditIntake({
      capacity,
      send: (block) => this.#send(block),
      closed: () => this.#close(),
    });
    port.listen((count) => this.#intake.grant(count));
  }

  get capacity(): number {
    return this.#intake.capacity;
  }

  /** See `CreditIntake`. */
  resize(capacity: number): void {
    this.#intake.resize(capacity);
  }

  get length(): number {
    return this.#intake.length;
  }

  get isClosed(): boolean {
    return this.#intake.isClosed;
  }

  openInlet(): Inlet<Item> {
    return this.#intake.openInlet();
  }

  #send(block: readonly Item[]): void {
    const writer = this.#writer;
    const before = writer.length;
    try {
      this.#write(block);
    } catch {
      writer.cut(before);
      const sound = block.filter((item) => this.#isSound(item));
      if (sound.length > 0) this.#write(sound);
      // Nobody at the other end will take what was left out.
      this.#intake.grant(block.length - sound.length);
    }
    if (writer.length >= LOAD_BYTES) this.#post();
    else if (!this.#isDue && writer.length > 0) this.#postLater();
  }

  #write(block: readonly Item[]): void {
    const [codec, writer] = [this.#codec, this.#writer];
    writer.count(block.length);
    for (const item of block) codec.write(item, writer);
  }

  #isSound(item: Item): boolean {
    try {
      this.#codec.write(item, new ByteWriter());
      return true;
    } catch (thrown) {
      const { type, report } = this.#parts;
      const what = `the codec of ${type.name}, which cannot write an item`;
      const error = faultOf(thrown, { code: "INTERNAL_UNIT", what, isOver: false });
      report(error);
      type.life?.lost(item, error);
      return false;
    }
  }

  #postLater(): void {
    this.#isDue = true;
    this.#parts.clock.after(0, () => {
      this.#isDue = false;
      this.#post();
    });
  }

  #post(): void {
    if (this.#writer.length === 0) return;
    const { buffer } = this.#writer.copy();
    this.#writer.reset();
    this.#parts.port.post(buffer, buffer);
  }

  #close(): void {
    this.#post();
    this.#parts.port.post(null);
  }
}
