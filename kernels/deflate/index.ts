/**
 * Deflate (RFC 1951), made for web pages: about the size of zlib's level 3 in less than half of its
 * time. One pass finds matches (`matches.ts`), each block then gets codes of its own
 * (`prefix-code.ts`, `code-header.ts`) and is written (`block.ts`). The whole input lies in memory,
 * so there is nothing to keep between calls. The output depends on the input alone.
 *
 * Read `matches.ts` first.
 */
import { begin, finish } from "./bit-writer";
import { writeBlock } from "./block";
import { findMatches, restart } from "./matches";

/** So many bytes behind its end are looked at. */
const READ_BEHIND: usize = 32;

/** Compresses the `size` bytes at `input` to a whole stream at `output`; returns its length. */
export function deflate(input: usize, size: usize, output: usize): usize {
  const end = input + size;
  // What is read behind the end must not decide anything.
  memory.fill(end, 0, READ_BEHIND);
  begin(output);
  restart(input);
  let at = input;
  do {
    const from = at;
    at = findMatches(from, end);
    writeBlock(from, at, at === end);
  } while (at < end);
  return finish() - output;
}
