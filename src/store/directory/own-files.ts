/**
 * Which files of a crawl directory are Trobar's own, by their names. A user may keep files beside
 * them (an index of the archive, an analysis of the log, notes), so nothing is ever removed because
 * of the folder that it is in.
 *
 * A file that a module writes under a new kind of name needs its line here: files that are not
 * known here would outlive their crawl. `test/scenario/crawl-directory.test.ts` looks at a crawl
 * with every part switched on.
 */
import { type Entry, entriesIn } from "./directory-files.ts";

/** Folders in which Trobar writes. Other files in them are the user's. */
const OWN_FOLDERS: readonly string[] = [
  ...["warc", "index", "links", "frontier", "outbox", "logs", "spool", "pages"],
  ...["texts", "rebuild", "damaged", "mesh", "cluster", "inbox", "claims"],
];

/** Files at the top, without what SQLite puts beside them. */
const OWN_TOP_FILES: readonly string[] = [
  ...["crawl.json", "config.yaml", "crawl.db", "crawl.lock", "crawl.lock.json", "api.json"],
  ...["api.token", "orders.json", "retried.json", "rebuild.json"],
];

/** Folders within those; the other folders have none. */
const OWN_INNER_FOLDER =
  /^(?:frontier(?:\/[a-z-]+)+|links\/graph(?:\/[a-z]+)?|outbox\/[^/]+|spool\/(?:answers|\d+|(?:\d+\/)?bodies|connectors(?:\/[\w-]+)?))$/;

/** Logs, each of segments and a manifest. */
const OWN_LOGS: readonly string[] = [
  ...[
    "logs/control",
    "logs/crawl",
    "logs/faults",
    "logs/refused",
    "links/pages",
    "links/graph/log",
  ],
  ...["frontier/hosts/names", "frontier/bodies/table", "frontier/sieve/text"],
  ...["frontier/queues/pushes", "frontier/queues/takes", "texts/pages", "spool/answers/\\d+-[ab]"],
  ...["spool/connectors/[\\w-]+/in", "spool/connectors/[\\w-]+/out"],
  ...["cluster/seeds", "frontier/foreign/text", "inbox/in", "outbox/[^/]+/(?:out|kept-\\d+)"],
];

/**
 * A form for each kind of file but those of archives and of lines: files at the top, logs, sorted runs,
 * finished or not, and what is in a spool. Where a rebuild, a lane or a replacement puts them is apart.
 */
export const OWN_FORMS: readonly RegExp[] = [
  ...OWN_TOP_FILES.map((name) => new RegExp(`^${name.replaceAll(".", "\\.")}$`)),
  /^crawl\.db-(?:wal|shm|journal)$/,
  /^crawl\.lock-journal$/,
  ...OWN_LOGS.map((name) => new RegExp(`^${name}(?:\\.[1-9]\\d*)?\\.(?:log|manifest)$`)),
  /^links\/graph\/runs$/,
  /^links\/graph\/[a-z]+\/run-\d+$/,
  /^frontier\/queues\/bundle-\d+$/,
  /^frontier\/(?:[a-z-]+\/)+(?:run-\d+(?:-\d+-\d+)?|new-\d+-\d+)$/,
  /^cluster\/(?:members|limits)$/,
  /^outbox\/[^/]+\/stream$/,
  /^claims\/(?:run-\d+(?:-\d+-\d+)?|new-\d+-\d+)$/,
  /^index\/(?:run-\d+(?:-\d+-\d+)?|new-\d+-\d+)$/,
  /^spool\/(?:\d+\/)?bodies\/\d+$/,
  /^spool\/connectors\/[\w-]+\/stream$/,
];

/** What the `nats-server` of an agent has; written again at every start. */
const MESH_FORM =
  /^mesh\/(?:certificate\.pem|key\.pem|ports\.json|server\.(?:conf|pid|log(?:\.[\d.]+)?)|[\w.-]+_\d+\.ports)$/;

/** `NAME-TIMESTAMP-SERIAL-AGENT`, of any crawl. */
const ARCHIVE_FILE = /^warc\/(.+)-\d{17}-\d{5,}-([^/]+?)\.warc(?:\.gz|\.zst)?(\.open)?$/;
/** The same for files of JSON lines; units of a topology write some under names of their own. */
const LINES_FILE = /^pages\/.+-\d{17}-\d{5,}-([^/]+?)\.jsonl(?:\.gz|\.zst)?(?:\.open)?$/;

/** What the names of a crawl's archive files begin and end with; null where it is unknown. */
export interface ArchiveOwner {
  readonly name: string | null;
  readonly agent: string | null;
}

/** Where a rebuild puts files. */
const MOVED = /^(?:rebuild\/(?:new|old)|damaged\/\d+)\/(.+)$/;
/** Where each of several lanes has its own. */
const OF_LANE = /^((?:frontier|links)\/)\d+\/\d+\/(.+)$/;

/** What an interrupted replacement of a file leaves. */
const LEFTOVER = /^((?:.*\/)?)\.([^/]+)\.tmp$/;

export interface OwnFiles {
  /** Relative paths of files that Trobar wrote; the lock is not among them. */
  readonly files: readonly string[];
  /** Folders that Trobar made, the deepest first. */
  readonly folders: readonly string[];
  /** The first thing that prevents beginning a crawl; null when there is none. */
  readonly inTheWay: string | null;
}

/**
 * Looks through a crawl directory and changes nothing. Where the agent is not known no archive file
 * counts as the crawl's own. An archive file of another crawl that is still open is in the way:
 * opening the store would take it for its own and end it. So is a symbolic link in place of a
 * folder, since what it leads to is not Trobar's to empty or to write in.
 */
export function findOwnFiles(path: string, owner: ArchiveOwner): OwnFiles {
  const files: string[] = [];
  const folders: string[] = [];
  let inTheWay: string | null = null;
  const look = (entry: Entry): void => {
    const isOwn = isOwnFile(entry.name, owner);
    if (entry.isFolder && isOwn) inTheWay ??= entry.name;
    else if (entry.isFolder) folders.unshift(entry.name);
    else if (isOwn) files.push(entry.name);
    else if (entry.isLink && OWN_INNER_FOLDER.test(entry.name)) inTheWay ??= entry.name;
    else if (ARCHIVE_FILE.exec(entry.name)?.[3] !== undefined) inTheWay ??= entry.name;
  };
  for (const entry of entriesIn(path, "")) {
    if (!OWN_FOLDERS.includes(entry.name)) {
      if (!entry.isFolder || isForm(entry.name)) look(entry);
    } else if (entry.isFolder) {
      folders.unshift(entry.name);
      for (const inner of entriesBelow(path, entry.name)) look(inner);
    } else inTheWay ??= entry.name;
  }
  return { files: files.filter((name) => !name.startsWith("crawl.lock")), folders, inTheWay };
}

function isOwnFile(name: string, owner: ArchiveOwner): boolean {
  const moved = MOVED.exec(name)?.[1];
  if (moved !== undefined) return isOwnFile(moved, owner);
  const [, part = "", inLane = ""] = OF_LANE.exec(name) ?? [];
  if (inLane !== "") return isOwnFile(part + inLane, owner);
  const [, folder = "", target] = LEFTOVER.exec(name) ?? [];
  if (target !== undefined) return isOwnFile(folder + target, owner);
  if (isForm(name)) return true;
  const [lines, linesAgent] = LINES_FILE.exec(name) ?? [];
  if (lines !== undefined) return linesAgent === owner.agent;
  const [archive, crawl, agent] = ARCHIVE_FILE.exec(name) ?? [];
  if (archive === undefined) return false;
  return agent === owner.agent && (owner.name === null || crawl === owner.name);
}

function isForm(name: string): boolean {
  return OWN_FORMS.some((form) => form.test(name)) || MESH_FORM.test(name);
}

function* entriesBelow(path: string, folder: string): Generator<Entry> {
  for (const entry of entriesIn(path, folder)) {
    yield entry;
    if (entry.isFolder) yield* entriesBelow(path, entry.name);
  }
}
