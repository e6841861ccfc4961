/** The flags of the commands that ask a crawl or change it. */
import { type Flag, JSON_FLAG } from "./flag-table.ts";
import { OUT_FLAG } from "./store-flags.ts";

const API_FLAG: Flag = {
  long: "api",
  value: "URL",
  meaning: "where the crawl listens, instead of its directory; the token is in TROBAR_TOKEN",
};

export const CONTROL_FLAGS: readonly Flag[] = [OUT_FLAG, API_FLAG, JSON_FLAG];

export const STATUS_FLAGS: readonly Flag[] = [
  { long: "watch", meaning: "go on showing, every second, until the crawl ends" },
  ...CONTROL_FLAGS,
];

export const STOP_FLAGS: readonly Flag[] = [
  { long: "now", meaning: "give up the fetches in flight, which otherwise get some seconds" },
  ...CONTROL_FLAGS,
];

export const HOSTS_FLAGS: readonly Flag[] = [
  { long: "match", value: "PART", meaning: "only hosts whose names have this part" },
  {
    long: "state",
    value: "S",
    meaning: "only hosts in this state: politeness, retry, given-up, blocked, …",
  },
  { long: "sort", value: "found|pages|queued", meaning: "as they were met, or the most first" },
  { long: "limit", short: "n", value: "N", meaning: "this many; 50 if left out" },
  { long: "after", value: "CURSOR", meaning: "go on after a list" },
  ...CONTROL_FLAGS,
];

export const PEERS_FLAGS: readonly Flag[] = [
  { long: "wait", value: "N", meaning: "wait until N are there, and agree on it" },
  ...CONTROL_FLAGS,
];

export const PEERS_TOKEN_FLAGS: readonly Flag[] = [
  {
    ...OUT_FLAG,
    meaning: "a crawl directory, whose crawl alone the token is for; any if left out",
  },
];

export const RETRY_FLAGS: readonly Flag[] = [
  {
    long: "where",
    value: "FILTER",
    meaning: "failed pages that this filter or glob accepts, instead of those that may succeed",
  },
  ...CONTROL_FLAGS,
];
