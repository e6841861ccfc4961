/**
 * Makes gzip members. Without a level the kernel does it, which takes less than half of the time of
 * zlib's level 3 for files a few percent larger (docs/adr/0070). With a level, for records that are
 * too long for the kernel, and for those at which it traps, zlib does: with one compressor that is
 * kept, where `gzipSync` makes one for every call. Its 256 KiB of state are then allocated and
 * cleared once and not for each record. For what does not fit into the engine's room `gzipSync` does
 * the work. A kernel's output depends on the record alone.
 */
import assert from "node:assert/strict";
import { constants, crc32, createGzip, gzipSync } from "node:zlib";
import { dropKernels, type Kernels, threadKernels } from "../../base/kernels/index.ts";
import { ZlibHandle } from "../../base/zlib/index.ts";

/** For longer records the state costs little, and their output would occupy memory for good. */
const INPUT_BYTES_MAX = 256 * 1024;
/** Incompressible data grows by less than 1 KiB. */
const OUTPUT_BYTES = INPUT_BYTES_MAX + 1024;

/** What zlib does when no level is given. */
export const GZIP_LEVEL = 3;

/** No time, no name; made on a system that is not told. */
const HEAD: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
const TRAILER_BYTES = 8;

type DeflateKernel = Pick<Kernels, "deflate" | "inputBytesMax">;

export class GzipEngine {
  readonly #level: number;
  readonly #kernels: () => DeflateKernel;
  readonly #output = new Uint8Array(OUTPUT_BYTES);
  #handle: ZlibHandle | null = null;
  #hasKernels: boolean;
  /** What the kernel threw at the last call, before zlib did its work; null if it did not. */
  thrown: unknown = null;

  /** `level` is zlib's, or null for the kernel: that of the thread, unless a test gives another. */
  constructor(level: number | null, kernels: () => DeflateKernel = threadKernels) {
    this.#level = level ?? GZIP_LEVEL;
    this.#kernels = kernels;
    this.#hasKernels = level === null;
  }

  /** A member that contains the bytes, in the engine's memory: valid until the next call. */
  pack(bytes: Uint8Array): Uint8Array {
    this.thrown = null;
    if (bytes.length > INPUT_BYTES_MAX) return gzipSync(bytes, { level: this.#level });
    return this.#packByKernel(bytes) ?? this.#packByZlib(bytes);
  }

  #packByKernel(bytes: Uint8Array): Uint8Array | null {
    const kernel = this.#kernel();
    if (kernel === null || bytes.length > kernel.inputBytesMax) return null;
    try {
      return this.#member(kernel.deflate(bytes), bytes);
    } catch (thrown) {
      dropKernels();
      this.thrown = thrown;
      return null;
    }
  }

  /** Where there are no kernels, as without SIMD, that is told once. */
  #kernel(): DeflateKernel | null {
    if (!this.#hasKernels) return null;
    try {
      return this.#kernels();
    } catch (thrown) {
      this.#hasKernels = false;
      this.thrown = thrown;
      return null;
    }
  }

  #member(stream: Uint8Array, content: Uint8Array): Uint8Array {
    const output = this.#output;
    const trailerAt = HEAD.length + stream.length;
    output.set(HEAD);
    output.set(stream, HEAD.length);
    writeUint32(output, trailerAt, crc32(content));
    writeUint32(output, trailerAt + 4, content.length);
    return output.subarray(0, trailerAt + TRAILER_BYTES);
  }

  #packByZlib(bytes: Uint8Array): Uint8Array {
    this.#handle ??= new ZlibHandle(createGzip({ level: this.#level }));
    const handle = this.#handle;
    const output = this.#output;
    const isWell = handle.write(constants.Z_FINISH, bytes, 0, bytes.length, output, 0);
    assert(isWell, `compression failed: ${handle.failure}`);
    assert(
      handle.consumedBytes === bytes.length && handle.producedBytes < OUTPUT_BYTES,
      "a member is hardly longer than its content",
    );
    handle.reset();
    return output.subarray(0, handle.producedBytes);
  }
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  for (let index = 0; index < 4; index += 1) bytes[at + index] = value >>> (8 * index);
}
