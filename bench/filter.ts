/**
 * Claim: a filter in the language costs at most three times what the same predicate written by
 * hand does. Measured on the two typical formulae of BUbiNG's presentation over a million URLs
 * (a hundred thousand different ones, ten times, so that waiting for memory hides nothing).
 *
 *     node bench/filter.ts
 */
import { FILTER_PLACES, loadFilter } from "../src/rules/filter/index.ts";
import { compare } from "./support/rounds.ts";
import { type BenchPage, benchPages } from "./support/urls.ts";

const URLS = 1_000_000;
const BLOCK = 20_000;

const scheduling = await loadFilter(
  "(SchemeEquals(http) or SchemeEquals(https)) and HostEndsWith(.it) and not " +
    "PathEndsWithOneOf(.axd,.xls,.rar,.sflb,.tmb,.pdf,.js,.swf,.rdf,.odt,.mpg,.flv,.psd,.txt,.exe," +
    ".sql,.c,.h,.css,.ppt,.doc,.jpg,.jpeg,.gif,.png,.zip,.gz,.tar,.mp3,.mp4,.avi)",
  FILTER_PLACES.schedule,
);

/** As a programmer with an eye on speed would write it. */
const LEFT_OUT =
  /\.(?:axd|xls|rar|sflb|tmb|pdf|js|swf|rdf|odt|mpg|flv|psd|txt|exe|sql|c|h|css|ppt|doc|jpg|jpeg|gif|png|zip|gz|tar|mp3|mp4|avi)$/i;
function schedulingByHand(url: BenchPage): boolean {
  return (
    (url.scheme === "http" || url.scheme === "https") &&
    url.host.endsWith(".it") &&
    !LEFT_OUT.test(url.path)
  );
}

const parsing = await loadFilter(
  "(ContentTypeStartsWith(text/) or PathEndsWithOneOf(.html,.htm,.txt)) and not IsProbablyBinary()",
  FILTER_PLACES.parse,
);

const TEXT = /\.(?:html|htm|txt)$/i;
function parsingByHand(page: BenchPage): boolean {
  const isText = page.header("content-type")?.startsWith("text/") || TEXT.test(page.path);
  return isText && !isBinary(page.bodyPrefix(1000));
}

function isBinary(bytes: Uint8Array): boolean {
  const first = bytes.indexOf(0);
  const second = first === -1 ? -1 : bytes.indexOf(0, first + 1);
  return second !== -1 && bytes.indexOf(0, second + 1) !== -1;
}

const blocks = Array.from({ length: 5 }, (_, seed) => benchPages(BLOCK, seed));

// A crawl has several filters, whose closures share their call sites: here as well, so that the
// compiler cannot prepare for the one that is measured.
const OTHERS = [
  "HostEquals(a.org) or DomainIs(b.org) or PathStartsWith(/c) or URLShorterThan(30)",
  "SameHost() and DepthAtMost(9) and not URLMatches(login)",
  "DuplicateSegmentsLessThan(3) and PathSegmentsAtMost(9) or QueryHasParam(id)",
  "not (PortIs(8080) and HostEndsWith(.de)) and (URLGlob(*shop*) or SchemeEquals(ftp,http))",
];
for (const text of OTHERS) {
  const other = await loadFilter(text, FILTER_PLACES.schedule);
  for (const block of blocks) for (const page of block) other.accepts(page);
}

function count(accepts: (page: BenchPage) => boolean): () => number {
  return () => {
    let accepted = 0;
    for (let done = 0; done < URLS; done += BLOCK) {
      for (const page of blocks[(done / BLOCK) % blocks.length] ?? []) {
        if (accepts(page)) accepted += 1;
      }
    }
    return accepted;
  };
}

compare({
  name: "scheduling formula over 1,000,000 URLs",
  rounds: 9,
  ours: count(scheduling.accepts),
  reference: count(schedulingByHand),
  promised: 0.3,
});
compare({
  name: "parsing formula over 1,000,000 responses",
  rounds: 9,
  ours: count(parsing.accepts),
  reference: count(parsingByHand),
  promised: 0.3,
});
