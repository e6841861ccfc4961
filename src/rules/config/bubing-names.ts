/**
 * BUbiNG's property names, so that a file written for BUbiNG can be used as it is. Names that mean
 * the same as a key of ours are declared with the key, in the schema; this file holds what differs
 * in meaning, and every name that has no counterpart, with the reason and what replaces it. Such a
 * name is reported as a note and not as a mistake: leaving it out permits nothing that the user
 * forbade.
 */

/** How a name that has a key differs from it; shown in the documentation. */
export const BUBING_REMARKS: ReadonlyMap<string, string> = new Map([
  ["seed", "`file:PATH` names a list of seeds, as --seeds does."],
  ["maxUrls", "Here it ends the crawl; in BUbiNG it only sized a filter."],
  ["maxUrlsPerSchemeAuthority", "Counted by host: http and https, and all ports, together."],
  ["schemeAuthorityDelay", "Kept by host: http and https, and all ports, together."],
  ["blackListedHosts", "`file:PATH` is refused: name the hosts themselves."],
  ["blackListedIPv4Addresses", "`file:PATH` is refused. Ranges and IPv6 are legal too."],
  ["scheduleFilter", "BUbiNG has no scope: write `scope=any` to let this filter alone decide."],
  ["cookiePolicy", "`ignore` or `ignoreCookies` is false, everything else true."],
  [
    "storeClass",
    "A class whose name ends in WarcStore is `warc`; another one is left out with a note.",
  ],
  ["proxyHost", "Becomes the URL http://proxyHost:proxyPort."],
  ["proxyPort", "Needs proxyHost; 8080 by default."],
  ["acceptAllCertificates", "The default is true in BUbiNG and false here."],
  ["weight", "Fixed once the agent has joined."],
]);

/** Why a name has no key, and what there is instead. */
export const BUBING_WITHOUT_KEY: ReadonlyMap<string, string> = new Map([
  ["group", "agents find each other by cluster.join or cluster.nats; the crawl's name is `name`"],
  ["crawlIsNew", "an existing crawl is refused, and --fresh starts over"],
  ["rootDir", "the crawl directory is given by -o/--out"],
  ["storeDir", "pages are in warc/ of the crawl directory"],
  ["responseCacheDir", "bodies are spooled inside the crawl directory"],
  ["sieveDir", "the sieve is in frontier/ of the crawl directory"],
  ["frontierDir", "queues are in frontier/ of the crawl directory"],
  ["parsingThreads", "each of the lanes parses what it fetches; see lanes"],
  ["dnsThreads", "names are resolved without threads"],
  ["ipDelayFactor", "politeness.ipDelay holds for an address, whatever the number of its hosts"],
  ["bloomFilterPrecision", "digests are compared exactly, not by a Bloom filter"],
  ["fetchDataBufferByteSize", "memory for bodies is one budget for the agent, fetch.bodyMemory"],
  ["cookieMaxByteSize", "the cookies of a host are limited by the program"],
  ["digestAlgorithm", "the digest is part of the crawl's format"],
  ["parserSpec", "parsers are named in parse.parsers"],
  ["startPaused", "a crawl starts running"],
  ["virtualizerMaxByteSize", "queues on disk grow as they need; limits.minFreeDisk bounds them"],
  ["urlCacheMaxByteSize", "the table of URLs just seen is counted in URLs, frontier.recentlySeen"],
  ["sieveSize", "the sieve takes its share of frontier.memory"],
  ["sieveStoreIOBufferByteSize", "buffers of the sieve are part of frontier.memory"],
  ["sieveAuxFileIOBufferByteSize", "buffers of the sieve are part of frontier.memory"],
  ["dnsResolverClass", "there is one resolver; its servers are dns.servers"],
  ["dnsPositiveTtl", "an answer is kept for its TTL, from 10 seconds to a day"],
  ["dnsNegativeTtl", "a name that does not exist is asked for again after five minutes"],
  ["spamDetectorUri", "there is no spam detector"],
  ["spamDetectionThreshold", "there is no spam detector"],
  ["spamDetectionPeriodicity", "there is no spam detector"],
]);

/** Other classes are Java's, so their names mean nothing here. */
export function isWarcStore(className: string): boolean {
  return /(?:^|\.)WarcStore$/.test(className.trim());
}

const CONVERSIONS: ReadonlyMap<string, (text: string) => string> = new Map([
  ["cookiePolicy", (text) => String(!/^ignore/i.test(text))],
  ["storeClass", (text) => (isWarcStore(text) ? "warc" : text)],
]);

/** BUbiNG's text for a property as the key of ours wants it; durations without a unit are in ms. */
export function convertBubingValue(name: string, text: string, isDuration: boolean): string {
  if (isDuration && /^\s*\d+\s*$/.test(text)) return `${text.trim()}ms`;
  return CONVERSIONS.get(name)?.(text) ?? text;
}
