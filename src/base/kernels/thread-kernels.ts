/**
 * The kernels of this thread: one instance with one memory, whoever asks. A result must therefore
 * be copied before anything else in the thread calls a kernel.
 */
import { compiledKernels, Kernels, type KernelsModule } from "./kernels.ts";
import { readKernelsFile } from "./kernels-file.ts";

let module: KernelsModule | null = null;
let kernels: Kernels | null = null;

/** Throws where the module cannot be read or compiled. */
export function threadKernels(): Kernels {
  module ??= compiledKernels(readKernelsFile());
  kernels ??= new Kernels(module);
  return kernels;
}

/** To be called when a kernel trapped, which leaves its memory in any state: the next caller gets another. */
export function dropKernels(): void {
  kernels = null;
}
