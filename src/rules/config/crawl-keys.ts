/** The keys that say what the crawl is: seeds, scope, limits, politeness, identity of URLs. */

import { DAY_MS, GIB, MILLION, SECOND_MS, THOUSAND } from "../../base/units/index.ts";
import { key, type SchemaTree, type ValueType, value } from "../settings/index.ts";
import type { Configuration } from "./configuration.ts";
import { addressRange, contact, hostName, seedUrl, userAgent } from "./network-types.ts";
import { hostSettings, POLITENESS_TYPES } from "./politeness-types.ts";

type CrawlKeys = SchemaTree<
  Pick<
    Configuration,
    | "seeds"
    | "name"
    | "userAgent"
    | "contact"
    | "scope"
    | "limits"
    | "politeness"
    | "url"
    | "filters"
    | "sitemaps"
  >
>;

/** The greatest limits.hostDepth; and the greatest limits.depth beside one. */
export const HOST_DEPTH_MAX = 60;
export const PAIRED_DEPTH_MAX = 250;

export const CRAWL_KEYS: CrawlKeys = {
  seeds: key(value.list(seedUrl()), {
    default: [],
    meaning: "URLs from which the crawl starts; those of a joining agent are added to the crawl's.",
    reach: "local",
    fixed: true,
    bubing: ["seed"],
  }),
  name: key(fileWord("crawl"), {
    default: "crawl",
    meaning: "Name of the crawl; the names of its WARC files begin with it.",
    fixed: true,
  }),
  userAgent: key(value.nullable(userAgent()), {
    default: null,
    meaning:
      "User-Agent header; ~ is Trobar/VERSION (+CONTACT). Its first word, up to a slash, selects the group of rules in robots.txt.",
    bubing: ["userAgent"],
  }),
  contact: key(value.nullable(contact()), {
    default: null,
    meaning: "Where site owners can complain: a web page or a mail address, sent in User-Agent.",
    bubing: ["userAgentFrom"],
  }),
  scope: key(value.choice("page", "prefix", "host", "domain", "any"), {
    default: "host",
    meaning:
      "How far from the seeds links are followed: only the seeds, what is below their path, their host, their registrable domain, anywhere.",
    fixed: true,
  }),
  limits: {
    pages: key(value.nullable(value.count({ min: 1 })), {
      default: null,
      meaning: "Pages of the whole crawl, counted over all its runs.",
      bubing: ["maxUrls"],
    }),
    pagesPerHost: key(value.nullable(value.count({ min: 1 })), {
      default: 100 * THOUSAND,
      meaning: "Pages of one host.",
      bubing: ["maxUrlsPerSchemeAuthority"],
    }),
    depth: key(value.nullable(value.count({ min: 0, max: MILLION })), {
      default: null,
      meaning: "Links between a page and the nearest seed; 0 fetches only the seeds.",
    }),
    hostDepth: key(value.nullable(value.count({ min: 0, max: HOST_DEPTH_MAX })), {
      default: null,
      meaning:
        "Links inside a host between a page and the nearest page where the host was entered, by a seed or from another host; 0 fetches only those.",
    }),
    time: key(value.nullable(value.duration({ min: 1 })), {
      default: null,
      meaning: "Time spent crawling, over all runs.",
    }),
    bytes: key(value.nullable(value.byteSize({ min: 1 })), {
      default: null,
      meaning: "Bytes of the bodies fetched, over all runs.",
    }),
    urlLength: key(value.count({ min: 64, max: 65_536 }), {
      default: 2048,
      meaning: "Characters of a URL; longer ones are refused.",
    }),
    pathSegments: key(value.count({ min: 1, max: 1000 }), {
      default: 32,
      meaning: "Segments in the path of a URL; deeper ones are taken for a trap.",
    }),
    repeatedSegments: key(value.count({ min: 2, max: 1000 }), {
      default: 4,
      meaning: "How often a sequence of path segments may follow itself; more is taken for a trap.",
    }),
    linksPerPage: key(value.count({ min: 1, max: 10 * MILLION }), {
      default: 10 * THOUSAND,
      meaning: "Links taken from one page; the rest is ignored.",
    }),
    minFreeDisk: key(value.byteSize({ min: 0 }), {
      default: 1 * GIB,
      meaning: "Space to leave free on the disk of the crawl directory; below it the agent waits.",
      reach: "local",
    }),
  },
  politeness: {
    hostDelay: key(POLITENESS_TYPES.hostDelay, {
      default: 1 * SECOND_MS,
      meaning:
        "Pause between two fetches from one host, from the end of one to the start of the next.",
      bubing: ["schemeAuthorityDelay"],
    }),
    ipDelay: key(value.duration({ min: 0, max: DAY_MS }), {
      default: 250,
      meaning: "The same pause for one address, whatever hosts share it; 0 for none.",
      bubing: ["ipDelay"],
    }),
    robots: key(POLITENESS_TYPES.robots, {
      default: "obey",
      meaning: "Whether robots.txt is obeyed.",
    }),
    robotsMaxAge: key(POLITENESS_TYPES.robotsMaxAge, {
      default: 1 * DAY_MS,
      meaning: "Age at which a robots.txt is fetched again.",
      bubing: ["robotsExpiration"],
    }),
    crawlDelayMax: key(POLITENESS_TYPES.crawlDelayMax, {
      default: 60 * SECOND_MS,
      meaning: "Longest Crawl-delay of a robots.txt that is obeyed.",
    }),
    crawlDelayOver: key(POLITENESS_TYPES.crawlDelayOver, {
      default: "skip",
      meaning: "What happens to a host that asks for more: skip it, or cap the delay.",
    }),
    noarchive: key(value.choice("obey", "ignore"), {
      default: "obey",
      meaning: "Whether only metadata is archived for pages marked noarchive.",
    }),
    nofollow: key(value.choice("obey", "ignore"), {
      default: "obey",
      meaning: "Whether nofollow on links and pages is obeyed.",
    }),
    hosts: key(hostSettings(), {
      default: [],
      meaning:
        "Hosts with values of their own for hostDelay, robots, robotsMaxAge, crawlDelayMax and crawlDelayOver, by name or, for all hosts below a domain, as *.example.org. For each value the most specific pattern counts.",
    }),
    blockHosts: key(value.list(hostName()), {
      default: [],
      meaning:
        "Hosts that are never visited, by exact name; use filters.schedule for whole domains.",
      bubing: ["blackListedHosts"],
    }),
    blockAddresses: key(value.list(addressRange()), {
      default: [],
      meaning: "Addresses and ranges that are never connected to.",
      bubing: ["blackListedIPv4Addresses"],
    }),
  },
  url: {
    sessionIds: stripOrKeep("strip", "Session ids in paths and queries."),
    trackingParams: stripOrKeep(
      "keep",
      "Query parameters that only track visitors, such as utm_source.",
    ),
    sortQuery: key(value.toggle(), {
      default: false,
      meaning: "Whether URLs whose query parameters differ only in order are the same page.",
      fixed: true,
    }),
    trailingSlash: stripOrKeep("keep", "A slash at the end of a path."),
    indexPages: stripOrKeep("keep", "A last segment such as index.html."),
    www: stripOrKeep("keep", "www. at the beginning of a host."),
  },
  filters: {
    schedule: filterKey(
      "Links that may be queued; --include and --exclude narrow it.",
      "scheduleFilter",
    ),
    fetch: filterKey("URLs that may be fetched, asked just before the fetch.", "fetchFilter"),
    parse: filterKey("Responses that are parsed.", "parseFilter"),
    follow: filterKey("Pages whose links are followed.", "followFilter"),
    store: filterKey("Pages that are stored.", "storeFilter"),
    modules: key(value.list(value.choiceOrModule()), {
      default: [],
      meaning: "Modules whose atoms the filters use by their names alone.",
    }),
  },
  sitemaps: key(value.toggle(), {
    default: false,
    meaning: "Whether the URLs of sitemaps that robots.txt names are seeds.",
  }),
};

/** A word that is safe as part of a file name and of a message subject. */
export function fileWord(...examples: readonly string[]): ValueType<string> {
  return value.text({
    form: "up to 64 letters, digits, dots, hyphens and underscores, not beginning with a dot",
    examples,
    check: (raw) =>
      /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(raw) ? null : "cannot be part of a file's name",
  });
}

function stripOrKeep(usual: "strip" | "keep", what: string): CrawlKeys["url"]["sessionIds"] {
  return key(value.choice("strip", "keep"), {
    default: usual,
    meaning: `${what} Stripped when URLs are compared, or kept; what is fetched is never changed.`,
    fixed: true,
  });
}

function filterKey(meaning: string, bubingName: string): CrawlKeys["filters"]["schedule"] {
  const expression = value.text({
    form: "a filter expression",
    examples: ["HostEndsWith(.example.org) and not PathEndsWithOneOf(.jpg,.png)"],
    lengthMax: 65_536,
    lines: true,
  });
  return key(value.nullable(expression), {
    default: null,
    meaning: `${meaning} ~ accepts everything.`,
    bubing: [bubingName],
  });
}
