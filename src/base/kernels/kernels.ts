/**
 * An instance of the compiled kernels, with the memory in which they work. Input is copied there,
 * and results are read there before the next call.
 */
import assert from "node:assert/strict";

/** What the compiled module exports. Places and lengths are in bytes. */
interface Compiled {
  readonly memory: { readonly buffer: ArrayBuffer };
  input(): number;
  inputBytesMax(): number;
  output(): number;
  deflate(bytes: number): number;
  digestSettings(): number;
  digestEvents(): number;
  digestEventsMax(): number;
  digestResults(): number;
  digest(words: number): void;
}

/** The part of the platform's WebAssembly that is used here; Node's types leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => KernelsModule;
  readonly Instance: new (module: KernelsModule) => { readonly exports: Compiled };
};

export interface KernelsModule {
  readonly module: unique symbol;
}

/** Throws where the processor has no SIMD. */
export function compiledKernels(bytes: Uint8Array<ArrayBuffer>): KernelsModule {
  return new WebAssembly.Module(bytes);
}

/** Of two digests, their halves, the lower one first; words outside the title; 1 unless empty. */
const RESULTS = 6;

export class Kernels {
  readonly #compiled: Compiled;
  readonly #memory: Uint8Array;
  readonly #inputAt: number;
  readonly #outputAt: number;
  /** Longer input is not for kernels. */
  readonly inputBytesMax: number;
  /** How much may be told of a page that is digested: words of events, and bytes of text. */
  readonly digestRoom: { readonly eventsMax: number; readonly textBytesMax: number };

  constructor(module: KernelsModule) {
    this.#compiled = new WebAssembly.Instance(module).exports;
    this.#memory = new Uint8Array(this.#compiled.memory.buffer);
    this.#inputAt = this.#compiled.input();
    this.#outputAt = this.#compiled.output();
    this.inputBytesMax = this.#compiled.inputBytesMax();
    this.digestRoom = {
      eventsMax: this.#compiled.digestEventsMax(),
      textBytesMax: this.inputBytesMax,
    };
  }

  /** A deflate stream (RFC 1951) of the bytes, in the kernels' memory: valid until the next call. */
  deflate(bytes: Uint8Array): Uint8Array {
    assert(
      bytes.length <= this.inputBytesMax,
      "kernels are not given more than they have room for",
    );
    this.#memory.set(bytes, this.#inputAt);
    const length = this.#compiled.deflate(bytes.length);
    return this.#memory.subarray(this.#outputAt, this.#outputAt + length);
  }

  /** What `parse/digest` says of a page by its events; valid until the next call. */
  digest(settings: Uint8Array, events: Uint32Array, texts: Uint8Array): Uint32Array {
    const { eventsMax, textBytesMax } = this.digestRoom;
    assert(events.length <= eventsMax && texts.length <= textBytesMax, "a page has room");
    const { buffer } = this.#memory;
    this.#memory.set(settings, this.#compiled.digestSettings());
    this.#memory.set(texts, this.#inputAt);
    new Uint32Array(buffer, this.#compiled.digestEvents(), events.length).set(events);
    this.#compiled.digest(events.length);
    return new Uint32Array(buffer, this.#compiled.digestResults(), RESULTS);
  }
}
