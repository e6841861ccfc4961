/** Files that a user names, read up to a limit; what is wrong with one is said in words. */
import { closeSync, openSync, readSync, statSync } from "node:fs";

/** Files are read in pieces of this size, so that a small file does not cost its limit. */
const PIECE_BYTES = 256 * 1024;

export type ReadFile =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** A clause that follows the path. */
  | { readonly ok: false; readonly problem: string };

/**
 * A file up to a limit. No more is read than that, since the path may be a device that never ends:
 * a caller that wants whole files asks for one byte more than it takes.
 */
export function readFile(path: string, bytesMax: number): ReadFile {
  const problem = fileProblem(path);
  if (problem !== null) return { ok: false, problem };
  try {
    return { ok: true, bytes: readUpTo(path, bytesMax) };
  } catch (error) {
    return { ok: false, problem: reasonOf(error) };
  }
}

/** Why a path cannot be that of a file to read, as a clause that follows it; null if it can. */
export function fileProblem(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? "is a directory" : null;
  } catch (error) {
    return reasonOf(error);
  }
}

function readUpTo(path: string, bytesMax: number): Uint8Array {
  const descriptor = openSync(path, "r");
  try {
    const pieces: Uint8Array[] = [];
    let restBytes = bytesMax;
    while (restBytes > 0) {
      const piece = new Uint8Array(Math.min(restBytes, PIECE_BYTES));
      const read = readSync(descriptor, piece, 0, piece.length, null);
      if (read === 0) break;
      pieces.push(piece.subarray(0, read));
      restBytes -= read;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(descriptor);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return "does not exist";
  if (code === "EACCES" || code === "EPERM") return "cannot be read by this user";
  return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
}
