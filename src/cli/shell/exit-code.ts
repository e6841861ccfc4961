/** The exit codes, on which scripts rely, and which of them a failure ends with. */
import type { ErrorCode } from "../../base/errors/index.ts";

export const EXIT = {
  finished: 0,
  unexpected: 1,
  usage: 2,
  inUse: 3,
  disk: 4,
  nothingFetched: 5,
  notFound: 6,
  interrupted: 130,
} as const;

/** For help. */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.finished, "finished, or a limit was reached"],
  [EXIT.unexpected, "unexpected failure"],
  [EXIT.usage, "usage or configuration"],
  [EXIT.inUse, "crawl directory or agent id in use"],
  [EXIT.disk, "disk"],
  [EXIT.nothingFetched, "no page could be fetched"],
  [EXIT.notFound, "not found"],
  [EXIT.interrupted, "interrupted"],
];

export function exitCodeOf(code: ErrorCode): number {
  const isUsers = /^(?:API|USAGE|CONFIG)_|^(?:FILTER|PROTOCOL|SCORE|STORE|TOPOLOGY)_INVALID$/.test(
    code,
  );
  if (isUsers || code === "PARSE_PARSER_UNKNOWN") return EXIT.usage;
  if (/^CONTROL_(?:NOT_FOUND|NOT_RUNNING|UNREACHABLE)$/.test(code)) return EXIT.notFound;
  // What a running crawl refuses to become, or to do.
  if (
    /^(?:TOPOLOGY_REFUSED|TRANSPORT_LOGIN_REFUSED|CONTROL_ALONE|CLUSTER_FORGET_REFUSED)$/.test(code)
  ) {
    return EXIT.usage;
  }
  if (
    /^CLUSTER_(?:CAPACITY_FIXED|CONFIGURATION_TOO_LONG|PART_CRAWL|PEER_INVALID|PORT_IN_USE|REBUILD_REFUSED|SERVER_MISSING|TOKEN_(?:INVALID|REFUSED)|WHOLE_CRAWL)$/.test(
      code,
    )
  ) {
    return EXIT.usage;
  }
  if (code === "CLUSTER_UNMET") return EXIT.interrupted;
  if (code === "DIRECTORY_IN_USE" || code === "CLUSTER_ID_IN_USE") return EXIT.inUse;
  if (code === "DIRECTORY_FOREIGN" || code === "DIRECTORY_MISSING") return EXIT.usage;
  const isDisk =
    /^(?:CHECKPOINT|DATABASE|EXPORT|LINKS|LOG|NEAR|PAGES|QUEUES|RUN|SIEVE|STORE|STORAGE|TEXTS)_|^(?:CLUSTER_STATE_(?:DAMAGED|VERSION)|DIRECTORY_(?:FAILED|DAMAGED|VERSION))$/.test(
      code,
    );
  return isDisk ? EXIT.disk : EXIT.unexpected;
}
