/** The keys of fetching and parsing: connections, timeouts, limits, and what is read of a page. */

import {
  DAY_MS,
  HOUR_MS,
  MIB,
  MILLION,
  MINUTE_MS,
  SECOND_MS,
  THOUSAND,
} from "../../base/units/index.ts";
import { FOLLOWABLE_KINDS, type FollowableKind, PAGE_KINDS } from "../../formats/link/index.ts";
import { type KeyDefinition, key, type SchemaTree, value } from "../settings/index.ts";
import type { Configuration } from "./configuration.ts";
import { addressRange, dnsServer, port, protocols, url } from "./network-types.ts";
import { credentialSource, headers } from "./request-types.ts";

type FetchKeys = SchemaTree<Pick<Configuration, "fetch" | "dns" | "parse">>;

const timeout = value.duration({ min: 1, max: DAY_MS });

/** The built-in parsers, in their default order. */
export const PARSERS = ["html", "sitemap", "feed", "text", "binary"] as const;

export const FETCH_KEYS: FetchKeys = {
  fetch: {
    concurrency: key(value.count({ min: 1, max: 100 * THOUSAND }), {
      default: 500,
      meaning: "Connections in use at once in one agent, so the number of simultaneous fetches.",
      reach: "local",
      bubing: ["fetchingThreads"],
    }),
    connectTimeout: key(timeout, {
      default: 10 * SECOND_MS,
      meaning: "Longest wait for a connection, TLS included.",
      bubing: ["connectionTimeout"],
    }),
    headerTimeout: key(timeout, {
      default: 20 * SECOND_MS,
      meaning: "Longest wait from the request to the end of the response's header.",
    }),
    idleTimeout: key(timeout, {
      default: 20 * SECOND_MS,
      meaning: "Longest silence inside a body.",
      bubing: ["socketTimeout"],
    }),
    totalTimeout: key(timeout, {
      default: 120 * SECOND_MS,
      meaning: "Longest time for a whole fetch; what arrived by then is kept as truncated.",
    }),
    minRate: key(value.byteRate({ min: 0, max: 1000 * MIB }), {
      default: 500,
      meaning:
        "Slowest rate at which a body may arrive, after a grace time of idleTimeout; 0 for any.",
    }),
    maxBody: key(value.byteSize({ min: 1, max: 1024 * 1024 * MIB }), {
      default: 10 * MIB,
      meaning: "Bytes of a body that are read, after decompression; the rest is cut off.",
      bubing: ["responseBodyMaxByteSize"],
    }),
    bodyMemory: key(value.byteSize({ min: 1 * MIB }), {
      default: 128 * MIB,
      meaning:
        "Memory for bodies in flight in one agent; what does not fit goes to temporary files.",
      reach: "local",
    }),
    maxRedirects: key(value.count({ min: 0, max: 100 }), {
      default: 10,
      meaning: "Redirects in a row before the chain is given up.",
    }),
    retries: key(value.count({ min: 0, max: 100 }), {
      default: 3,
      meaning: "Further attempts after a failure that may be temporary.",
    }),
    retryWait: key(value.duration({ min: 0, max: DAY_MS }), {
      default: 10 * SECOND_MS,
      meaning: "Wait before the first further attempt; it doubles each time.",
    }),
    retryMaxWait: key(value.duration({ min: 0, max: 7 * DAY_MS }), {
      default: 10 * MINUTE_MS,
      meaning: "Longest wait between attempts, even if Retry-After asks for more.",
    }),
    allowAddresses: key(value.list(addressRange()), {
      default: [],
      meaning: "Private, loopback and other special addresses that may be connected to.",
    }),
    ports: key(value.wordOr("any", value.list(port())), {
      default: [80, 443, 8080, 8443],
      meaning: "Ports that may be connected to.",
    }),
    keepAlive: key(value.duration({ min: 0, max: HOUR_MS }), {
      default: 5 * SECOND_MS,
      meaning: "How long an idle connection is kept; 0 closes it after each fetch.",
      bubing: ["keepAliveTime"],
    }),
    idleConnections: key(value.count({ min: 0, max: 100 * THOUSAND }), {
      default: 500,
      meaning:
        "Idle connections kept in one agent, on top of fetch.concurrency; the oldest go first.",
      reach: "local",
    }),
    cookies: off("Whether a host's cookies are sent back to it.", "cookiePolicy"),
    headers: key(headers(), {
      default: [],
      meaning:
        "Further headers of every request, to every host; they are archived, so do not put secrets here.",
    }),
    credentials: key(value.list(credentialSource(), 1000), {
      default: [],
      meaning:
        "Hosts that ask for credentials, each with the file or environment variable that holds user:password or a scheme and token. Sent only to that host, and only over https unless one of its seeds is http.",
      reach: "local",
      kept: false,
    }),
    bandwidth: key(value.nullable(value.byteRate({ min: THOUSAND })), {
      default: null,
      meaning:
        "Bytes a second that bodies may take in one agent, on average: reading waits, and so do new fetches.",
      reach: "local",
    }),
    pagesPerSecond: key(value.nullable(value.count({ min: 1, max: MILLION })), {
      default: null,
      meaning: "Pages requested a second in one agent, on average.",
      reach: "local",
    }),
    http2: off("Whether HTTP/2 is offered."),
    insecure: off("Whether invalid certificates are accepted.", "acceptAllCertificates"),
    proxy: key(
      value.nullable(
        url({
          schemes: ["http", "https"],
          examples: ["http://proxy.example.org:3128"],
          bare: true,
        }),
      ),
      {
        default: null,
        meaning:
          "HTTP proxy through which everything is fetched; it resolves the names, so the pause per address does not apply.",
        reach: "local",
        bubing: ["proxyHost", "proxyPort"],
      },
    ),
    protocols: key(protocols(), {
      default: [],
      meaning:
        "Modules that fetch URLs of further schemes; see protocol-modules.md. The port that a scheme has by itself need not be in fetch.ports.",
    }),
  },
  dns: {
    servers: key(value.list(dnsServer()), {
      default: [],
      meaning: "DNS servers to ask; none means those of the system.",
      reach: "local",
    }),
    cacheSize: key(value.count({ min: 0, max: 100 * MILLION }), {
      default: 100 * THOUSAND,
      meaning: "Answers kept in memory.",
      reach: "local",
      bubing: ["dnsCacheMaxSize"],
    }),
    timeout: key(timeout, {
      default: 5 * SECOND_MS,
      meaning: "Longest wait for an answer.",
      reach: "local",
    }),
    aliases: key(value.toggle(), {
      default: false,
      meaning:
        "Whether hosts whose aliases (CNAME) lead to the same name are visited as politely as one host: one of them at a time, with the longest of their delays in between. Not behind a proxy, which asks for names itself.",
      fixed: true,
    }),
  },
  parse: {
    parsers: key(value.list(value.choiceOrModule(...PARSERS)), {
      default: PARSERS,
      meaning: "Parsers in order; the first that accepts a response gets it.",
    }),
    links: key(value.list(value.choice<FollowableKind>(...FOLLOWABLE_KINDS)), {
      default: PAGE_KINDS,
      meaning: "Kinds of links that are followed.",
    }),
    text: key(value.wordOr("auto", value.toggle()), {
      default: "auto",
      meaning:
        "Whether the whole visible text is extracted; auto: when --text, store.text or a unit asks for it.",
    }),
    words: off("Whether the words of each page are counted, and kept beside the page index."),
    scripts: off("Whether strings in scripts that look like URLs are taken as links."),
    requisites: off("Whether page requisites are fetched too, from any host."),
    nearDuplicates: on("Whether near duplicates are found."),
    nearDistance: key(value.count({ min: 0, max: 3 }), {
      default: 3,
      meaning: "Bits of 64 in which the SimHashes of near duplicates may differ.",
    }),
    language: on("Whether the language of the text is identified."),
  },
};

function on(meaning: string): KeyDefinition<boolean> {
  return key(value.toggle(), { default: true, meaning });
}

function off(meaning: string, ...bubing: readonly string[]): KeyDefinition<boolean> {
  return key(value.toggle(), { default: false, meaning, bubing });
}
