/**
 * The columns of Common Crawl's index in Parquet, so that queries written for theirs work on a
 * crawl of one's own: https://github.com/commoncrawl/cc-index-table. Theirs has `crawl` and
 * `subset` as folders; here they are columns. Offsets have 64 bits, since files may be larger.
 */
import {
  type FetchableUrl,
  hostOf,
  partsOf,
  registrationOf,
  surtOf,
} from "../../../formats/url/index.ts";
import type { PageRow } from "../page-row.ts";
import { threeLetters } from "./language-codes.ts";

export type ColumnType = "STRING" | "INT32" | "INT64" | "TIMESTAMP";
export type ColumnValue = string | number | bigint | Date | null;

export interface IndexColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly of: (page: PageRow, url: UrlFacts) => ColumnValue;
}

/** A URL taken apart once for all of its columns. */
export interface UrlFacts {
  readonly surt: string;
  readonly parts: ReturnType<typeof partsOf>;
  readonly registration: ReturnType<typeof registrationOf>;
  /** From the last to the first; empty for an address. */
  readonly labels: readonly string[];
}

export function urlFacts(url: string): UrlFacts {
  const fetchable = url as FetchableUrl;
  const parts = partsOf(fetchable);
  const isAddress = /^[[\d.]*\d[\d.\]]*$/.test(parts.host);
  return {
    surt: surtOf(fetchable),
    parts,
    registration: registrationOf(hostOf(fetchable)),
    labels: isAddress ? [] : parts.host.split(".").reverse(),
  };
}

export function indexColumns(crawl: string): readonly IndexColumn[] {
  return [
    text("url_surtkey", (_, { surt }) => surt),
    text("url", ({ url }) => url),
    text("url_host_name", (_, { parts }) => parts.host),
    text("url_host_tld", (_, { labels }) => labels[0]),
    text("url_host_2nd_last_part", (_, { labels }) => labels[1]),
    text("url_host_3rd_last_part", (_, { labels }) => labels[2]),
    text("url_host_4th_last_part", (_, { labels }) => labels[3]),
    text("url_host_5th_last_part", (_, { labels }) => labels[4]),
    text("url_host_registry_suffix", (_, { registration }) => registration.registrySuffix),
    text("url_host_registered_domain", (_, { registration }) => registration.registeredDomain),
    text("url_host_private_suffix", (_, { registration }) => registration.privateSuffix),
    text("url_host_private_domain", (_, { registration }) => registration.privateDomain),
    text("url_host_name_reversed", (_, { labels, parts }) => labels.join(".") || parts.host),
    text("url_protocol", (_, { parts }) => parts.scheme),
    {
      ...{ name: "url_port", type: "INT32" },
      of: (_, { parts }) => (parts.port === "" ? null : Number(parts.port.slice(1))),
    },
    text("url_path", (_, { parts }) => parts.path),
    text("url_query", (_, { parts }) => (parts.query === "" ? null : parts.query.slice(1))),
    { name: "fetch_time", type: "TIMESTAMP", of: ({ fetchedAt }) => new Date(fetchedAt) },
    { name: "fetch_status", type: "INT32", of: ({ status }) => status },
    text("fetch_redirect", ({ redirectTo }) => redirectTo),
    text("content_digest", ({ digest }) => digest?.replace(/^sha1:/, "")),
    text("content_mime_type", ({ mime }) => mime),
    text("content_mime_detected", ({ mime }) => mime),
    text("content_charset", ({ charset }) => charset),
    text("content_languages", ({ language }) => threeLetters(language)),
    text("content_truncated", ({ truncated }) => truncated),
    text("warc_filename", ({ warc }) => warc),
    { name: "warc_record_offset", type: "INT64", of: ({ offset }) => whole(offset) },
    { name: "warc_record_length", type: "INT64", of: ({ length }) => whole(length) },
    text("warc_segment", () => null),
    text("crawl", () => crawl),
    text("subset", ({ status }) =>
      status >= 200 && status < 300 ? "warc" : status === 0 ? null : "crawldiagnostics",
    ),
  ];
}

function text(
  name: string,
  of: (page: PageRow, url: UrlFacts) => string | null | undefined,
): IndexColumn {
  return { name, type: "STRING", of: (page, url) => of(page, url) ?? null };
}

function whole(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}
