/**
 * Files of a folder that may be somebody else's: a crawl directory that was unpacked or is shared. Only
 * regular files are read, up to a limit, so that nothing in it can hold up a command or fill its memory;
 * and what a caller needs to know before it trusts a file is told with it.
 */
import fs from "node:fs";
import { userInfo } from "node:os";
import { dirname, sep } from "node:path";

interface GuardedFile {
  readonly bytes: Uint8Array;
  /** Whether it belongs to this user and nobody else can write to it. */
  readonly isOwn: boolean;
  /** Whether it lies in the folder itself or below: no symbolic link leads out of it. */
  readonly isWithin: boolean;
}

const OTHERS_MAY_WRITE = 0o022;

/** Opening a pipe waits for its writer, unless it is told not to. */
const READ_AT_ONCE = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK;

/** Null if there is no such file, or none that can be read, or if it is longer than `bytesMax`. */
export function readGuarded(path: string, folder: string, bytesMax: number): GuardedFile | null {
  try {
    const descriptor = fs.openSync(path, READ_AT_ONCE);
    try {
      const stat = fs.fstatSync(descriptor);
      if (!stat.isFile() || stat.size > bytesMax) return null;
      const bytes = new Uint8Array(bytesMax + 1);
      const length = fs.readSync(descriptor, bytes, 0, bytes.length, 0);
      if (length > bytesMax) return null;
      return {
        bytes: bytes.slice(0, length),
        isOwn: stat.uid === userInfo().uid && (stat.mode & OTHERS_MAY_WRITE) === 0,
        isWithin: isBelow(fs.realpathSync(path), fs.realpathSync(folder)),
      };
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return null;
  }
}

function isBelow(path: string, folder: string): boolean {
  return `${dirname(path)}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
