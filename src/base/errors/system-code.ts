/** The system's name of an error of a file or a disk, and what it means. */

/**
 * A quota that is used up, as Linux numbers it. Node has no name for it: the code of such an error is
 * `UNKNOWN` or a sentence, depending on the call, but its number is right.
 */
const QUOTA_USED_UP = -122;

/** The code of an error of the system, such as `ENOENT`; empty for other errors. */
export function systemCodeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return "errno" in error && error.errno === QUOTA_USED_UP ? "EDQUOT" : String(error.code);
}

const NO_ROOM: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** Whether it passes when somebody makes room, or raises a quota. */
export function isNoRoom(systemCode: string): boolean {
  return NO_ROOM.has(systemCode);
}
