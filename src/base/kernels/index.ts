/**
 * Loops over bytes that are compiled to WebAssembly with SIMD. Their sources, in AssemblyScript, are
 * in the folder `kernels` of the project; `node scripts/kernels.ts` compiles them to the file
 * `kernels.wasm` here, which is checked in, and a test compares its bytes with those of a new build.
 *
 * Each kernel has a twin that does the same without it, and its caller goes to the twin whenever the
 * kernel cannot do the work: where there are no kernels at all, for input that is too long, and when
 * a kernel traps (which is a mistake of ours, and reported). A thread has one instance with one
 * memory, so results are copied before the next call.
 *
 * | kernel | does | twin |
 * |---|---|---|
 * | `deflate` | compresses records | zlib |
 * | `digest` | the digests of a page, from what its parser told | `parse/digest` |
 *
 * Read `kernels.ts` first.
 */
export { Kernels } from "./kernels.ts";
export { dropKernels, threadKernels } from "./thread-kernels.ts";
