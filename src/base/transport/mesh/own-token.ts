/**
 * The join token that a user's agents on one machine have in common, so that `--join HOST:PORT` is enough
 * there. It is made when the first of them starts and lies where only that user can read it; other users
 * of the machine have others. It is kept apart from runtime folders, which differ between a service and a
 * terminal of the same user. A token that an agent is given may lie elsewhere, with other modes.
 */
import { linkSync, statSync, unlinkSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { CrawlError, systemCodeOf } from "../../errors/index.ts";
import { makeFolder, writePrivate } from "../../folder/index.ts";
import { quoted } from "../../text/index.ts";
import { type JoinToken, makeToken, printToken, readToken } from "./join-token.ts";

const FILE = "join.token";
const OTHERS = 0o077;
/** That anybody may read or write, and that the group may write. */
const EXPOSED = 0o026;

/** Where a user's programs keep what is theirs on this machine. */
export function stateFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const named = environment["XDG_STATE_HOME"] ?? "";
  const state = isAbsolute(named) ? named : join(homedir(), ".local", "state");
  return join(state, "trobar");
}

/** Throws `DIRECTORY_FAILED` if it cannot be kept, `CLUSTER_TOKEN_INVALID` if others could know it. */
export function ownToken(folder: string): JoinToken {
  const path = join(folder, FILE);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) make(folder, path);
  const fault = faultOf(path);
  if (fault === null) return readToken(path);
  throw new CrawlError(
    "CLUSTER_TOKEN_INVALID",
    `${quoted(path)}, which lets agents into clusters of this machine, ${fault}. Remove it; the next ` +
      "agent makes another.",
    { path },
  );
}

/** Why nobody should trust in it, as a clause; null if there is nothing wrong. To read a pipe could take for ever. */
function faultOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "is a link that leads nowhere";
  if (!found.isFile()) return "is not a file";
  const isPrivate = found.uid === userInfo().uid && !(found.mode & OTHERS);
  return isPrivate || process.platform === "win32" ? null : "can be read or changed by others";
}

/**
 * `CLUSTER_TOKEN_READABLE` if any user of the machine can read the file of a token, or others can change it;
 * else null. That a group reads it is how containers are given secrets, so it is no reason.
 */
export function tokenExposure(path: string): CrawlError | null {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === "win32" || !(mode & EXPOSED)) return null;
  const others = mode & 0o004 ? "any user of this machine can read it" : "others can change it";
  return new CrawlError(
    "CLUSTER_TOKEN_READABLE",
    `The join token ${quoted(path)} lets whoever has it into the cluster, and ${others}. Run \`chmod 600\` on ` +
      "it; if somebody may have seen it, start all agents with a new one (`trobar peers token`).",
    { path },
  );
}

/** Whole or not at all; of several agents that start at once one wins, and all use what it made. */
function make(folder: string, path: string): void {
  makeFolder(folder);
  const draft = join(folder, `${FILE}.${process.pid}`);
  writePrivate(draft, printToken(makeToken(null)));
  try {
    linkSync(draft, path);
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
}
