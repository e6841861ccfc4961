/** The flags of the commands of `trobar store` that answer questions. */
import { type Flag, JSON_FLAG } from "./flag-table.ts";

/** Which crawl. */
export const OUT_FLAG: Flag = {
  long: "out",
  short: "o",
  value: "DIR",
  meaning: "the crawl directory; the only one here if left out",
};
/** Which crawl, or which archives. */
const OUT_FLAGS: readonly Flag[] = [
  OUT_FLAG,
  { long: "warc", value: "FILE...", meaning: "archives that others made, instead of a crawl" },
];
const LIST_FLAG: Flag = {
  long: "urls",
  short: "i",
  value: "FILE|-",
  meaning: "the URLs in a file, one per line",
};
const TEXT_FLAGS: readonly Flag[] = [
  { long: "text", meaning: "jsonl and csv: also the text of each page" },
  { long: "links", meaning: "jsonl and csv: also the links of each page" },
];
const FILTER_FLAG: Flag = {
  long: "filter",
  value: "F",
  meaning: "only pages that this filter or glob accepts",
};
const FORMAT_FLAG: Flag = {
  long: "format",
  value: "table|jsonl|csv",
  meaning: "how pages are written; table by default",
};

export const STORE_GET_FLAGS: readonly Flag[] = [
  ...OUT_FLAGS,
  LIST_FLAG,
  { long: "headers", meaning: "also the head of the answer" },
  { long: "raw", meaning: "the body as it came, not decoded" },
  { long: "text", meaning: "with --json: also the text of the page" },
  { long: "links", meaning: "with --json: also the links of the page" },
  JSON_FLAG,
];

export const STORE_LIST_FLAGS: readonly Flag[] = [
  ...OUT_FLAGS,
  FILTER_FLAG,
  FORMAT_FLAG,
  ...TEXT_FLAGS,
  JSON_FLAG,
];

export const STORE_STREAM_FLAGS: readonly Flag[] = [
  ...OUT_FLAGS,
  FILTER_FLAG,
  { long: "follow", meaning: "wait for more pages until it is interrupted" },
  { long: "after", value: "CURSOR", meaning: "go on after the page with this cursor" },
  LIST_FLAG,
  FORMAT_FLAG,
  ...TEXT_FLAGS,
  JSON_FLAG,
];

export const STORE_LINKS_FLAGS: readonly Flag[] = [
  ...OUT_FLAGS,
  { long: "in", meaning: "the links that lead to the page" },
  JSON_FLAG,
];

export const STORE_STATS_FLAGS: readonly Flag[] = [...OUT_FLAGS, JSON_FLAG];

export const STORE_VERIFY_FLAGS: readonly Flag[] = [
  ...OUT_FLAGS,
  { long: "rebuild", meaning: "make all again that derives from archive and crawl log" },
  JSON_FLAG,
  { long: "quiet", short: "q", meaning: "show no progress" },
];
