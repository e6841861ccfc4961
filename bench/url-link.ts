/**
 * Claim: a link goes through resolution, key and fingerprint in less time than the platform
 * needs for `new URL(link, base).href` alone. Both see the same pages in the same run, in turns;
 * the ratio is of the medians (reference / ours; above 1 is faster than the reference).
 */
import { SeededRandom } from "../src/base/random/index.ts";
import { type FetchableUrl, LinkResolver, parseUrl } from "../src/formats/url/index.ts";

const PAGES = 200;
const LINKS_PER_PAGE = 60;
const ROUNDS = 60;
const random = new SeededRandom("links");

interface Page {
  readonly base: FetchableUrl;
  readonly links: readonly string[];
}

/** Shares of links by form, as seen on pages of news, shops, forums and encyclopedias. */
const FORMS: readonly (readonly [name: string, share: number, make: (host: string) => string])[] = [
  ["/path", 34, () => `/${path(3)}`],
  ["/path?query", 6, () => `/${path(2)}?${query()}`],
  ["own origin, absolute", 22, (host) => `https://${host}/${path(3)}`],
  ["another host, absolute", 11, () => `https://${hostName()}/${path(2)}`],
  ["another host, no path", 2, () => `http://${hostName()}`],
  ["//host/path", 2, () => `//${hostName()}/${path(2)}`],
  ["path", 8, () => path(1)],
  ["../path", 2, () => `../${path(1)}`],
  ["?query", 2, () => `?${query()}`],
  ["#fragment", 4, () => `#${word()}`],
  ["/path#fragment", 1, () => `/${path(2)}#${word()}`],
  ["escapes", 2, () => `/${path(1)}/%C3%A9t%C3%A9-${word()}`],
  ["characters to escape", 1, () => `/${path(1)}/été ${word()}`],
  ["session", 1, () => `/${path(1)};jsessionid=${"0123456789ABCDEF".repeat(2)}`],
  ["not for the web", 2, () => `mailto:${word()}@${hostName()}`],
];

function word(): string {
  const length = 3 + random.below(9);
  return Array.from({ length }, () => "etaoinshrdlucmfw"[random.below(16)]).join("");
}

function path(depth: number): string {
  const segments = Array.from({ length: depth - 1 }, word);
  return [...segments, `${word()}-${word()}-${random.below(100_000)}.html`].join("/");
}

function query(): string {
  return `page=${random.below(50)}&order=${word()}`;
}

function hostName(): string {
  return `${["www", "blog", "en", "static"][random.below(4)]}.${word()}.${["org", "com", "hu"][random.below(3)]}`;
}

function makePage(): Page {
  const host = hostName();
  const total = FORMS.reduce((sum, [, share]) => sum + share, 0);
  const links = Array.from({ length: LINKS_PER_PAGE }, () => {
    let draw = random.below(total);
    const form = FORMS.find(([, share]) => {
      draw -= share;
      return draw < 0;
    });
    return flat(form?.[2](host) ?? "/");
  });
  return { base: fetchable(flat(`https://${host}/${path(3)}`)), links };
}

/** Strings as a parser of pages makes them: in one piece, from bytes. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}

const resolver = new LinkResolver({
  fingerprintKey: new Uint8Array(16).fill(7),
  shards: 64,
  urlLengthMax: 2048,
});

function ours(page: Page): number {
  let sum = 0;
  const base = resolver.base(page.base);
  for (const link of page.links) {
    const resolved = resolver.resolve(link, base);
    if (typeof resolved === "string") continue;
    sum += resolved.url.length + resolved.key.length + (resolved.low & 1);
  }
  return sum;
}

function reference(page: Page): number {
  let sum = 0;
  for (const link of page.links) sum += new URL(link, page.base).href.length;
  return sum;
}

function fetchable(text: string): FetchableUrl {
  const outcome = parseUrl(text);
  if (outcome.kind === "refused") throw new Error(outcome.reason);
  return outcome.url;
}

let sink = 0;

function nanosecondsPerLink(work: (page: Page) => number, pages: readonly Page[]): number {
  const startedAt = process.hrtime.bigint();
  for (const page of pages) sink += work(page);
  return Number(process.hrtime.bigint() - startedAt) / (pages.length * LINKS_PER_PAGE);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function compare(name: string, pages: readonly Page[]): void {
  const times = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.reference.push(nanosecondsPerLink(reference, pages));
    times.ours.push(nanosecondsPerLink(ours, pages));
  }
  const [us, them] = [median(times.ours), median(times.reference)];
  const ratio = (them / us).toFixed(2).padStart(6);
  console.log(
    `${name.padEnd(26)} ${us.toFixed(0).padStart(6)} ns ${them.toFixed(0).padStart(6)} ns ${ratio}`,
  );
}

const pages = Array.from({ length: PAGES }, makePage);
console.log(`${"links".padEnd(26)}   ours      new URL     ratio`);
compare("all", pages);
for (const [name, , make] of FORMS) {
  const ofForm = pages.map((page) => {
    const host = new URL(page.base).host;
    return { base: page.base, links: page.links.map(() => flat(make(host))) };
  });
  compare(name, ofForm);
}
if (sink === 0) throw new Error("nothing was resolved");
