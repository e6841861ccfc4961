/**
 * Whether there is room for a transaction, asked of the disk itself by writing to a file without a name.
 * SQLite cannot be asked in two cases:
 *
 * - It does not say that a quota is used up, only that a write has failed.
 * - It writes to `-shm` through memory. On file systems that write every page to a new place, such as btrfs,
 *   that needs room each time; where there is none, the system ends the process with SIGBUS.
 */
import fs from "node:fs";
import { dirname } from "node:path";
import { isNoRoom, systemCodeOf } from "../errors/index.ts";

/** `O_TMPFILE` of Linux, of which Node has no constant: the file is gone when it is closed. */
const WITHOUT_NAME = 0o20200000;

/** Most transactions of a crawl need less. */
const PROBE = new Uint8Array(256 * 1024);

/** As `statfs` numbers them: btrfs, bcachefs, ZFS. */
const COPYING: ReadonlySet<number> = new Set([0x9123683e, 0xca451a4e, 0x2fc12fc1]);

/** Whether files in the folder of this path are written to a new place each time; not if that is unknown. */
export function isCopying(path: string): boolean {
  try {
    return COPYING.has(fs.statfsSync(dirname(path)).type);
  } catch {
    return false;
  }
}

/** Whether the disk of this path says that it has no room; not if it cannot be asked. */
export function lacksRoom(path: string): boolean {
  try {
    const probe = fs.openSync(dirname(path), fs.constants.O_WRONLY | WITHOUT_NAME, 0o600);
    try {
      for (let at = 0; at < PROBE.length; ) at += fs.writeSync(probe, PROBE, at);
      return false;
    } finally {
      fs.closeSync(probe);
    }
  } catch (error) {
    return isNoRoom(systemCodeOf(error));
  }
}
