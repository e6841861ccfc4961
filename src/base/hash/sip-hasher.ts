/**
 * A keyed 64-bit hash over bytes in its own memory: SipHash-1-3, for which nobody who lacks the
 * key can find two texts that collide faster than by chance. Callers write text straight into
 * `bytes` and have it hashed in place; the result is read as two 32-bit halves, so that the hot
 * path makes no BigInt and no garbage.
 *
 * Invariant: the first `TEXT_AT` bytes belong to the hasher (keys, result); the rest of `bytes`
 * belongs to the code that made the hasher. A hasher serves one thread.
 */
import assert from "node:assert/strict";
import { type SipRounds, sipModule } from "./sip-module.ts";

/** A prepared key inside one hasher's memory. Only that hasher's `addKey` makes one. */
export type KeySlot = number & { readonly brand: "KeySlot" };

/** Where the room for text begins. */
export const TEXT_AT = 256;

export const KEY_BYTES = 16;

const RESULT_AT = 0;
const FIRST_KEY_AT = 32;
const SLOT_BYTES = 32;
const PAGE_BYTES = 65_536;
/** The hash may look, without effect, at this many bytes after a text. */
const BYTES_AFTER_TEXT = 8;

const ONE_THREE: SipRounds = { perWord: 1, atEnd: 3 };

/** "somepseudorandomlygeneratedbytes", the constants of the paper, as pairs of (low, high). */
const START: readonly number[] = [
  0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261, 0x6e657261, 0x6c796765, 0x79746573, 0x74656462,
];

export class SipHasher {
  /** The whole memory; callers use it from `TEXT_AT` on. */
  readonly bytes: Buffer;
  readonly #words: Uint32Array;
  readonly #sip: SipFunction;
  #keysEnd = FIRST_KEY_AT;

  constructor(textBytesMax: number, rounds: SipRounds = ONE_THREE) {
    const pages = Math.ceil((TEXT_AT + textBytesMax + BYTES_AFTER_TEXT) / PAGE_BYTES);
    const instance = new WebAssembly.Instance(moduleFor(rounds, pages)).exports;
    this.bytes = Buffer.from(instance.memory.buffer);
    this.#words = new Uint32Array(instance.memory.buffer, 0, TEXT_AT / 4);
    this.#sip = instance.sip;
  }

  /** Prepares a key of 16 bytes; a hasher has room for a few. */
  addKey(key: Uint8Array): KeySlot {
    assert(key.length === KEY_BYTES, "a key has 16 bytes");
    assert(this.#keysEnd + SLOT_BYTES <= TEXT_AT, "a hasher has room for seven keys");
    const slot = this.#keysEnd;
    const view = new DataView(key.buffer, key.byteOffset, KEY_BYTES);
    for (const [index, constant] of START.entries()) {
      const keyWord = view.getUint32((index % 4) * 4, true);
      this.#words[slot / 4 + index] = keyWord ^ constant;
    }
    this.#keysEnd += SLOT_BYTES;
    return slot as KeySlot;
  }

  /** Hashes `length` bytes of `bytes` from `at` on; the result is in `high` and `low`. */
  hash(key: KeySlot, at: number, length: number): void {
    this.#sip(key, at, length, RESULT_AT);
  }

  /** The upper 32 bits of the last result, unsigned. */
  get high(): number {
    return this.#words[1] as number;
  }

  /** The lower 32 bits of the last result, unsigned. */
  get low(): number {
    return this.#words[0] as number;
  }
}

/** Compiled once for all hashers of a size; there are few. */
const modules = new Map<string, InstanceType<typeof WebAssembly.Module>>();

function moduleFor(rounds: SipRounds, pages: number): InstanceType<typeof WebAssembly.Module> {
  const size = `${rounds.perWord} ${rounds.atEnd} ${pages}`;
  const module = modules.get(size) ?? new WebAssembly.Module(sipModule(rounds, pages));
  modules.set(size, module);
  return module;
}

type SipFunction = (key: number, text: number, length: number, out: number) => void;

/** The part of the platform's WebAssembly that is used here; Node's types leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => { readonly module: unique symbol };
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer };
      readonly sip: SipFunction;
    };
  };
};
