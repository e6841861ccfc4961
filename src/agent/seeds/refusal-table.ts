/**
 * Why URLs were not taken up: the words of the summary's `refused`, each with its meaning and with
 * what to do if such a URL is wanted. The words are stable: scripts rely on them.
 */
import { URL_REFUSALS } from "../../formats/url/index.ts";

export interface RefusalEntry {
  /** One sentence about a URL refused for this reason. */
  readonly meaning: string;
  readonly remedy: string;
}

const NOT_A_PAGE = "Correct the URL; only http, https and file URLs are crawled.";
const LINK_REMEDY = "Nothing needs doing: such a link or redirect leads nowhere.";

export const REFUSALS: Readonly<Record<string, RefusalEntry>> = {
  address: {
    meaning: "Its address is not part of the public internet, or is blocked.",
    remedy: "To crawl it, use --allow-private, or add its range to fetch.allowAddresses.",
  },
  "crawl-delay": {
    meaning: "Its robots.txt asks for a longer Crawl-delay than politeness.crawlDelayMax.",
    remedy: "Raise politeness.crawlDelayMax, or set politeness.crawlDelayOver=cap.",
  },
  depth: {
    meaning: "It is further from the seeds than the limit.",
    remedy: "Raise -d/--depth if it is wanted.",
  },
  "file-from-web": {
    meaning: "A page of the web names a file of this machine.",
    remedy: "Give the file as a seed if it is wanted.",
  },
  "file-invalid": { meaning: "The file: URL does not name a file.", remedy: "Correct the path." },
  "file-outside": {
    meaning: "The file is outside the folders of the seeds.",
    remedy: "Give its folder as a seed if it is wanted.",
  },
  "filter-fetch": {
    meaning: "The filter filters.fetch does not accept it.",
    remedy: "Correct the filter; `trobar inspect filter` shows what one accepts.",
  },
  "filter-schedule": {
    meaning: "--include, --exclude or filters.schedule does not accept it.",
    remedy: "Correct the filter; `trobar inspect filter` shows what one accepts.",
  },
  "host-blocked": {
    meaning: "Its host is listed in politeness.blockHosts, or blocked by hand.",
    remedy: "Remove the host from the list, or lift the block, if it is wanted.",
  },
  "host-depth": {
    meaning: "It is further inside its host than limits.hostDepth.",
    remedy: "Raise limits.hostDepth if it is wanted.",
  },
  "host-limit": {
    meaning: "Its host has reached limits.pagesPerHost.",
    remedy: "Raise limits.pagesPerHost if more of one host is wanted.",
  },
  "host-purged": {
    meaning: "It waited when its host was purged by hand.",
    remedy: "Crawl it in a directory of its own if it is wanted after all.",
  },
  "location-ambiguous": {
    meaning: "A redirect names several targets.",
    remedy: "The server's mistake: nothing needs doing.",
  },
  "location-empty": { meaning: "A redirect names an empty target.", remedy: LINK_REMEDY },
  "location-missing": { meaning: "A redirect names no target.", remedy: LINK_REMEDY },
  nofollow: {
    meaning: "The page asks for its links, or for this one, not to be followed.",
    remedy: "politeness.nofollow=ignore follows such links; only on sites of your own.",
  },
  "path-segments": {
    meaning: "Its path has more segments than limits.pathSegments.",
    remedy: "Raise limits.pathSegments unless it is a trap.",
  },
  port: {
    meaning: "Its port is not one of those that are crawled.",
    remedy: "Add the port to fetch.ports, or use --allow-private, which allows any port.",
  },
  "redirect-loop": { meaning: "It redirects to itself.", remedy: LINK_REMEDY },
  "repeated-segments": {
    meaning: "A part of its path repeats more often than limits.repeatedSegments.",
    remedy: "Raise limits.repeatedSegments unless it is a trap.",
  },
  robots: {
    meaning: "Its robots.txt disallows it.",
    remedy:
      "`trobar inspect robots URL` shows the rule. --ignore-robots is for sites of your own only.",
  },
  "robots-unreachable": {
    meaning: "Its robots.txt could not be fetched, so no page of its host may be fetched.",
    remedy:
      "Try again later; `trobar inspect robots URL` shows the answer. " +
      "--ignore-robots is for sites of your own only.",
  },
  scope: {
    meaning: "It is outside the scope of the seeds.",
    remedy: "Choose a wider --scope: prefix, host, domain or any.",
  },
  "sitemap-limit": {
    meaning: "A robots.txt names more sitemaps than are taken from one (200).",
    remedy: "Give the sitemap as a seed if what it lists is wanted.",
  },
  "sitemap-depth": {
    meaning: "An index of sitemaps names another index.",
    remedy: "Give the sitemap as a seed if what it lists is wanted.",
  },
  "too-many-redirects": {
    meaning: "More redirects in a row than fetch.maxRedirects lead to it.",
    remedy: "Raise fetch.maxRedirects if the chain has an end.",
  },
  ...Object.fromEntries(
    Object.entries(URL_REFUSALS).map(([reason, meaning]) => [
      reason,
      {
        meaning,
        remedy: reason === "url-too-long" ? "Raise limits.urlLength if it is wanted." : NOT_A_PAGE,
      },
    ]),
  ),
};

export function refusalEntry(reason: string): RefusalEntry {
  return REFUSALS[reason] ?? { meaning: `It was refused: ${reason}.`, remedy: "" };
}
