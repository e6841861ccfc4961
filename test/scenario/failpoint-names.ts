/**
 * Names for the moments at which a crawl changes its directory, such as `crawl-log.append.before`: what is
 * changed, how, and whether before, in the middle of or after the system call. Parts that exist once for
 * each lane have the same names in all lanes.
 */

/** The first that fits a path inside the crawl directory names it. */
const PARTS: readonly (readonly [name: string, path: RegExp])[] = [
  ["warc", /^warc\//],
  ["crawl-log-manifest", /^logs\/crawl\.manifest$/],
  ["crawl-log", /^logs\/crawl[.\d]*log$/],
  ["refused-log", /^logs\/refused/],
  ["sieve-text-manifest", /^frontier\/sieve\/text\.manifest$/],
  ["sieve-text", /^frontier\/sieve\/text/],
  ["sieve-run", /^frontier\/sieve\/runs\//],
  ["pushes", /^frontier\/queues\/pushes[.\d]*log$/],
  ["takes", /^frontier\/queues\/takes[.\d]*log$/],
  ["queue-manifest", /^frontier\/queues\/.*manifest$/],
  ["bundle", /^frontier\/queues\/bundle-/],
  ["host-names", /^frontier\/hosts\/names[.\d]*log$/],
  ["depths", /^frontier\/depths\//],
  ["links-run", /^frontier\/links\//],
  ["same-texts", /^frontier\/texts\//],
  ["bodies", /^frontier\/bodies\/table[.\d]*log$/],
  ["near-run", /^frontier\/near\//],
  ["links", /^links\/pages[.\d]*log$/],
  ["graph-log", /^links\/graph\/log[.\d]*log$/],
  ["graph-marks", /^links\/graph\/runs$/],
  ["graph-run", /^links\/graph\/(?:arcs|pages|places)\//],
  ["texts", /^texts\/pages[.\d]*log$/],
  ["index-run", /^index\//],
  ["members", /^cluster\/members$/],
  ["limits", /^cluster\/limits$/],
  ["seeds", /^cluster\/seeds[.\d]*log$/],
  ["outbox", /^outbox\/[^/]+\/out[.\d]*log$/],
  ["outbox-position", /^outbox\/[^/]+\/stream$/],
  ["retained", /^outbox\/[^/]+\/kept-\d+[.\d]*log$/],
  ["inbox", /^inbox\/in[.\d]*log$/],
  ["claims-run", /^claims\/run/],
  ["held", /^held\/[^/]+\/kept-\d+[.\d]*log$/],
  ["foreign", /^frontier\/foreign\/text[.\d]*log$/],
  ["foreign-run", /^frontier\/foreign\/runs\//],
  ["hidden-run", /^frontier\/hidden\//],
  ["mesh-ports", /^mesh\/ports\.json$/],
  ["manifest", /\.manifest$/],
  ["spool", /^spool\/.+/],
  ["crawl-json", /^crawl\.json$/],
  ["config", /^config\.yaml$/],
  ["orders", /^orders\.json$/],
  ["retried", /^retried\.json$/],
  ["lock-holder", /^crawl\.lock\.json$/],
  ["api", /^api\./],
  ["pages-file", /^pages\.jsonl$/],
];

/** `crawl-log` for `logs/crawl.log`; null for what has no name. */
export function partOf(path: string): string | null {
  const last = path.split("/").at(-1) ?? "";
  const target = path.slice(0, path.length - last.length) + last.replace(/^\.(.*)\.tmp$/, "$1");
  const common = target.replace(/^(frontier|links|spool)\/\d+\/(?:\d+\/)?(?=.)/, "$1/");
  return PARTS.find(([, fitting]) => fitting.test(common))?.[0] ?? null;
}
