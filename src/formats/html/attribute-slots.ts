/**
 * The attributes of the current tag: for each known name the position of its value in the bytes.
 * The first attribute of a name counts, as the standard says. Values are decoded on demand.
 */
import { ATTRIBUTE, ATTRIBUTE_IDS, ATTRIBUTE_NAMES } from "./attribute-names.ts";
import type { PageSink } from "./page-sink.ts";
import type { AttributeTaker } from "./tokens/tag-scanner.ts";
import { Utf8Buffer } from "./tokens/utf8-buffer.ts";
import { type HighBytes, trim, writeValue } from "./values.ts";

export interface SlotOptions {
  readonly highBytes: HighBytes;
  /** A longer value counts as absent, and sets `isCut`. */
  readonly attributeBytesMax: number;
}

export class AttributeSlots implements AttributeTaker {
  readonly #highBytes: HighBytes;
  readonly #bytesMax: number;
  readonly #froms = new Int32Array(ATTRIBUTE_IDS);
  readonly #tos = new Int32Array(ATTRIBUTE_IDS);
  readonly #scratch = new Utf8Buffer(256);
  /** One bit for each name in the tag. */
  #present = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Whether any value so far was too long. */
  isCut = false;

  constructor(options: SlotOptions) {
    this.#highBytes = options.highBytes;
    this.#bytesMax = options.attributeBytesMax;
  }

  begin(bytes: Uint8Array): void {
    this.#present = 0;
    this.#bytes = bytes;
  }

  take(hash: number, nameFrom: number, nameTo: number, valueFrom: number, valueTo: number): void {
    const id = ATTRIBUTE_NAMES.find(hash, this.#bytes, nameFrom, nameTo);
    if (id === 0 || (this.#present & (1 << id)) !== 0) return;
    this.#present |= 1 << id;
    this.#froms[id] = valueFrom;
    this.#tos[id] = valueTo;
  }

  has(id: number): boolean {
    return (this.#present & (1 << id)) !== 0;
  }

  /** Reports the `src` as it is written, if there is one. */
  tellSource(page: PageSink): void {
    const id = ATTRIBUTE.src;
    if (this.has(id)) {
      page.frameSource(this.#bytes, this.#froms[id] as number, this.#tos[id] as number);
    }
  }

  /** Appends the decoded value, without white space around it; false if absent or too long. */
  writeTo(id: number, out: Utf8Buffer): boolean {
    if (!this.has(id)) return false;
    const from = this.#froms[id] as number;
    const to = this.#tos[id] as number;
    if (to - from > this.#bytesMax) {
      this.isCut = true;
      return false;
    }
    const start = out.length;
    writeValue(this.#bytes, from, to, out, this.#highBytes);
    trim(out, start);
    return true;
  }

  /** The decoded value, without white space around it; "" if absent or too long. */
  string(id: number): string {
    this.#scratch.length = 0;
    this.writeTo(id, this.#scratch);
    return this.#scratch.slice(0, this.#scratch.length);
  }

  /** For values that are keywords: `type=HIDDEN`. */
  lowerCase(id: number): string {
    return this.has(id) ? this.string(id).toLowerCase() : "";
  }
}
