/**
 * The kernels: loops over bytes that are compiled to WebAssembly with SIMD, as one module with one
 * memory, of which each thread of the program has an instance. JavaScript puts the input where
 * `input` says and finds the output where `output` says; a call returns numbers.
 *
 * The language is AssemblyScript: TypeScript's syntax with the types of WebAssembly, and memory that
 * is read and written by address. Nothing here allocates, and no input may make a kernel trap.
 */
import { deflate as deflateAt } from "./deflate/index";
import { digest as digestOf } from "./digest/index";

export { digestEvents, digestEventsMax, digestResults, digestSettings } from "./digest/index";

/** Longer input is not for kernels. What is behind it may be read as well. */
const INPUT_BYTES_MAX: usize = 262_144;

const inputAt: usize = memory.data(262_176, 16);
const outputAt: usize = memory.data(263_168, 16);

export function input(): usize {
  return inputAt;
}

export function inputBytesMax(): usize {
  return INPUT_BYTES_MAX;
}

export function output(): usize {
  return outputAt;
}

export function deflate(size: usize): usize {
  return deflateAt(inputAt, size, outputAt);
}

/** Digests what so many words of events tell; their texts are at `input`. */
export function digest(words: u32): void {
  digestOf(words, inputAt);
}
