/** Finds the program `nats-server` of the system, and refuses one that is missing or too old. */
import { execFile } from "node:child_process";
import { CrawlError } from "../../errors/index.ts";
import { printable } from "../../text/index.ts";

/** The oldest version that meshes are tested with; Debian 12 has it. */
export const SERVER_VERSION_MIN = "2.9.10";

const PROGRAM = "nats-server";
const PROGRAM_MS_MAX = 5000;
/** Beside the folders of PATH: Debian has servers in /usr/sbin, which users' PATHs lack. */
const OTHER_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

export interface FoundServer {
  /** What to start: a path, or a name that is on PATH. */
  readonly program: string;
  /** `2.9.10`, or whatever else it says. */
  readonly version: string;
}

/** The server, of any version; null if there is none. `named` is a path, and then no other is looked at. */
export async function findServer(named: string | null = null): Promise<FoundServer | null> {
  const others = OTHER_FOLDERS.map((folder) => `${folder}/${PROGRAM}`);
  for (const program of named === null ? [PROGRAM, ...others] : [named]) {
    const said = await versionSaid(program);
    if (said !== null) return { program, version: /\d+\.\d+\.\d+\S*/.exec(said)?.[0] ?? said };
  }
  return null;
}

/** The server to start; throws `CLUSTER_SERVER_MISSING` if there is none that is new enough. */
export async function neededServer(named: string | null): Promise<FoundServer> {
  const found = await findServer(named);
  if (found !== null && isNewEnough(found.version)) return found;
  const problem =
    found === null
      ? `there is no ${printable(named ?? PROGRAM)} on this machine`
      : `${printable(found.program)} has version ${printable(found.version)}`;
  throw new CrawlError(
    "CLUSTER_SERVER_MISSING",
    `Agents of a cluster reach each other through nats-server ${SERVER_VERSION_MIN} or newer, and ` +
      `${problem}. ${HOW_TO_INSTALL}`,
    { version: found?.version ?? null },
  );
}

/** For people, whatever their system is. */
export const HOW_TO_INSTALL: string =
  "Install it: on Debian and Ubuntu `apt install nats-server`, on macOS `brew install nats-server`, on " +
  "Windows `choco install nats-server`, elsewhere from https://github.com/nats-io/nats-server/releases. " +
  "Or name existing servers with cluster.nats.";

export function isNewEnough(version: string): boolean {
  const own = numbersOf(version);
  const least = numbersOf(SERVER_VERSION_MIN);
  const at = least.findIndex((number, index) => number !== (own[index] ?? 0));
  return at < 0 || (own[at] ?? 0) > (least[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  return (/(\d+)\.(\d+)\.?(\d*)/.exec(version)?.slice(1) ?? []).map(Number);
}

function versionSaid(program: string): Promise<string | null> {
  return new Promise((done) => {
    execFile(program, ["--version"], { timeout: PROGRAM_MS_MAX }, (error, out) => {
      done(error === null ? (out.trim().split("\n")[0] ?? "") : null);
    });
  });
}
