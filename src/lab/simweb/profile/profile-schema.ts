/**
 * The schema of a profile: for every feature its type, range and meaning, in the form in which all
 * settings are declared, so that a command line can override single ones and documentation can be
 * printed. The defaults are the profile `plain`: nothing but sound pages on sound hosts.
 */

import { DAY_MS, MIB, MILLION, MINUTE_MS, THOUSAND } from "../../../base/units/index.ts";
import {
  type KeyDefinition,
  key,
  Schema,
  type SchemaTree,
  value,
} from "../../../rules/settings/index.ts";
import { decimal, share } from "./number-type.ts";
import type { Profile } from "./profile.ts";

/** A feature that `plain` does not have. */
function feature(meaning: string): KeyDefinition<number> {
  return key(share(), { default: 0, meaning });
}

function number(
  type: ReturnType<typeof decimal>,
  byDefault: number,
  meaning: string,
): KeyDefinition<number> {
  return key(type, { default: byDefault, meaning });
}

const HOSTS: SchemaTree<Profile["hosts"]> = {
  count: number(value.count({ min: 1, max: 10 * MILLION }), 20, "Hosts."),
  pages: number(value.count({ min: 1, max: 1000 * MILLION }), 2000, "Numbered URLs of all hosts."),
  exponent: number(decimal(0, 3), 1, "Sizes of hosts fall with their rank to this power."),
  pagesMax: number(value.count({ min: 1, max: 3 * MILLION }), 100 * THOUSAND, "Largest host."),
  branching: number(value.count({ min: 2, max: 1000 }), 8, "Hosts that a front page introduces."),
  perDomain: number(decimal(1, 8), 2, "Mean number of neighbouring hosts in one domain."),
  perAddress: number(decimal(1, 100_000), 4, "Mean number of hosts at one address."),
  twoAddresses: feature("Hosts with two addresses."),
  ipv6: feature("Hosts at the IPv6 loopback address alone."),
  international: feature("Domains whose names are not ASCII."),
  mirrors: feature("Hosts that serve another host's pages, byte for byte."),
  aliases: feature("Domains whose bare name redirects to `www.`; their seeds redirect too."),
  slow: feature("Hosts that think before they answer and send slowly."),
  slowDelay: number(value.duration({ min: 0, max: DAY_MS }), 300, "How long those think at most."),
  slowRate: number(value.byteRate({ min: 1 }), 20_000, "How fast those send at least."),
  dead: feature("Hosts that break every connection off."),
};

const DNS: SchemaTree<Profile["dns"]> = {
  ttl: number(value.duration({ min: 0 }), 5 * MINUTE_MS, "Longest time an answer may be kept."),
  aliases: feature("Hosts reached through one to three other names."),
  perServer: number(
    value.count({ min: 0, max: 10 * MILLION }),
    0,
    "Neighbouring hosts whose aliases lead to one name; 0: to none in common.",
  ),
  missing: feature("Hosts whose name does not exist."),
  failing: feature("Hosts whose name server always fails."),
  silent: feature("Hosts whose name server never answers."),
  passing: feature("Hosts whose name server fails once, then answers."),
  truncated: feature("Hosts whose answer over UDP is always cut off."),
  slow: feature("Hosts whose name server is slow."),
  slowDelay: number(value.duration({ min: 0, max: DAY_MS }), 200, "How slow those are."),
};

const PAGES: SchemaTree<Profile["pages"]> = {
  medianBytes: number(value.byteSize({ min: 200, max: MIB }), 11_600, "Median size of a page."),
  spread: number(decimal(0, 3), 1.3, "Standard deviation of the logarithm of the size."),
  bytesMax: number(value.byteSize({ min: 1000, max: 64 * MIB }), MIB, "Largest page."),
  branching: number(value.count({ min: 2, max: 1000 }), 8, "Pages that a page introduces."),
};

const LINKS: SchemaTree<Profile["links"]> = {
  perPage: number(decimal(0, 1000), 8, "Median number of further links on a page."),
  spread: number(decimal(0, 3), 0.8, "Standard deviation of the logarithm of that number."),
  foreign: number(share(), 0.1, "Links that lead to another host."),
  front: number(share(), 0.5, "Of these, links to its front page."),
  area: feature("Links that are an `area` of a map."),
  iframe: feature("Links that are an `iframe`."),
  head: feature("Links that are a `link` in the head."),
  resource: feature("Links by `img`, `script`, `embed`, … to any page."),
  form: feature("Links that are the action of a form."),
  refresh: feature("Pages with a `meta refresh`."),
  frameset: feature("Leaves that are a frameset."),
  base: feature("Pages with a `base` that matters."),
  noise: feature("Links beside the real ones that lead nowhere: `mailto:`, `javascript:`, …"),
  decoys: feature("Pages with what looks like a link and is none, inside comments, scripts, …"),
};

const SPELLING: SchemaTree<Profile["spelling"]> = {
  absolute: number(share(), 0.1, "Links within a host written with scheme and host."),
  relative: number(share(), 0.2, "Links within a host written relative to the page."),
  variants: feature("Links spelled oddly: case, port, dots, escapes, fragments, white space, …"),
  international: feature("Hosts whose paths have letters beyond ASCII, written raw or escaped."),
  sessions: feature("Links with a session identifier."),
  tracking: feature("Links with tracking parameters."),
  indexPages: feature("Links to front pages that say `index.html`."),
};

const MARKUP: SchemaTree<Profile["markup"]> = {
  sloppy: feature("Links in unusual but harmless markup: no quotes, capitals, doubled attributes."),
  broken: feature("Pages with wrong nesting, stray and missing tags, odd comments."),
};

const TEXT: SchemaTree<Profile["text"]> = {
  otherLanguages: feature("Hosts in a language other than English."),
  legacyCharsets: feature("Hosts in an encoding other than UTF-8."),
  oddDeclarations: feature("Pages that declare their encoding late, wrongly or twice."),
  compressed: feature("Pages sent compressed to those who accept it."),
};

const ROBOTS: SchemaTree<Profile["robots"]> = {
  rules: feature("Hosts whose robots.txt closes a part and opens a part of that."),
  wildcards: feature("Hosts whose robots.txt uses `*` and `$`."),
  named: feature("Hosts whose robots.txt closes all to others and a part to us."),
  delay: feature("Hosts with rules and a Crawl-delay of a second or two."),
  longDelay: feature("Hosts with a Crawl-delay of ten minutes."),
  missing: feature("Hosts without robots.txt (404)."),
  forbidden: feature("Hosts that answer 401 or 403 to robots.txt."),
  broken: feature("Hosts that always answer 5xx to robots.txt."),
  passing: feature("Hosts that answer 503 to robots.txt once, then rules."),
  redirected: feature("Hosts whose robots.txt is up to four redirects away."),
  lost: feature("Hosts whose robots.txt is behind an endless chain of redirects."),
  huge: feature("Hosts whose robots.txt is far longer than 500 KiB."),
  garbage: feature("Hosts that send a web page or bytes as robots.txt."),
  odd: feature("Hosts whose robots.txt has a byte order mark, odd line ends, unknown lines, …"),
  closed: feature("Hosts whose robots.txt closes everything."),
  privatePages: feature("Leaves in the part that rules close."),
  openedPages: feature("Leaves in the part that rules open again."),
  generatedPages: feature("Leaves that wildcard rules close."),
};

const DIRECTIVES: SchemaTree<Profile["directives"]> = {
  nofollowPages: feature("Leaves that say nofollow, by `meta` or `X-Robots-Tag`."),
  nofollowLinks: feature("Links that say `rel=nofollow`."),
  noarchive: feature("Pages that say noarchive, by `meta` or `X-Robots-Tag`."),
  hidden: feature("Leaves that are introduced by a nofollow link only."),
};

const REDIRECTS: SchemaTree<Profile["redirects"]> = {
  near: feature("Leaves that redirect within the host."),
  away: feature("Leaves that redirect to another host."),
  chains: feature("Leaves that begin a chain of two to five redirects."),
  long: feature("Leaves that begin a chain of fifteen redirects."),
  loops: feature("Leaves that redirect in a circle of one to three."),
  odd: feature("Leaves that redirect to nowhere: no Location, other schemes, nonsense."),
};

const ERRORS: SchemaTree<Profile["errors"]> = {
  missing: feature("Leaves that are not found (404)."),
  gone: feature("Leaves that are gone (410)."),
  forbidden: feature("Leaves that are refused (401, 403)."),
  broken: feature("Leaves that fail for good (500)."),
  throttled: feature("Leaves that answer 429 or 503 a few times, some with Retry-After."),
  throttledForGood: feature("Leaves that always answer 429 or 503."),
  reset: feature("Leaves whose connection breaks a few times before the answer."),
  resetForGood: feature("Leaves whose connection always breaks before the answer."),
  tries: number(value.count({ min: 1, max: 100 }), 2, "How often what passes fails at most."),
};

const DUPLICATES: SchemaTree<Profile["duplicates"]> = {
  exact: feature("Leaves that are copies of another page, byte for byte."),
  numbered: feature("Leaves that differ from another page in one number."),
  near: feature("Leaves that differ from another page in a few words."),
};

const FILES: SchemaTree<Profile["files"]> = {
  images: feature("Leaves that are images, introduced by `img`."),
  binaries: feature("Leaves that are other binary files, introduced by `a`."),
  texts: feature("Leaves that are plain text."),
  empty: feature("Leaves with an empty body."),
  oddTypes: feature("Leaves that are HTML with no or another Content-Type."),
};

const SITEMAPS: SchemaTree<Profile["sitemaps"]> = {
  hosts: feature("Hosts with a sitemap."),
  only: feature("Leaves that no page introduces, only the sitemap if there is one."),
};

const ENCODINGS: SchemaTree<Profile["encodings"]> = {
  doubled: feature("Leaves compressed twice."),
  broken: feature("Leaves whose compressed body is cut off, damaged or not compressed."),
  bombs: feature("Leaves that grow a thousandfold when decompressed."),
};

const TRAPS: SchemaTree<Profile["traps"]> = {
  calendars: feature("Hosts with a calendar that goes on for ever."),
  loops: feature("Hosts with a folder that contains itself."),
  sessions: feature("Hosts with pages that name each visit anew."),
  mazes: feature("Hosts that lead to ever new hosts."),
  floods: feature("Leaves with very many links."),
  floodLinks: number(value.count({ min: 1, max: MILLION }), 12_000, "How many links those have."),
  length: number(value.count({ min: 0, max: MILLION }), 0, "Steps until a trap ends; 0: never."),
};

const ODDITIES: SchemaTree<Profile["oddities"]> = {
  chunked: feature("Leaves sent in chunks."),
  noLengthClose: feature("Leaves whose end is the end of the connection."),
  manyInterim: feature("Leaves with several 1xx answers before the real one."),
  foldedHeader: feature("Leaves with a header folded over lines."),
  bareNewlines: feature("Leaves with lines ended by LF alone in the head."),
  lengthTooSmall: feature("Leaves longer than their Content-Length."),
  lengthTooLarge: feature("Leaves shorter than their Content-Length."),
  closeMidBody: feature("Leaves broken off in the middle."),
  chunkedBroken: feature("Leaves whose chunks go wrong."),
  stallMidBody: feature("Leaves that stop coming in the middle."),
  endlessBody: feature("Leaves that never end."),
  closeBeforeHead: feature("Leaves whose connection is closed without an answer."),
  hugeHeader: feature("Leaves with a header of several hundred kilobytes."),
  garbage: feature("Leaves answered with bytes that are not HTTP."),
  http09: feature("Leaves answered by a body without a head."),
};

const TREE: SchemaTree<Profile> = {
  hosts: HOSTS,
  dns: DNS,
  pages: PAGES,
  links: LINKS,
  spelling: SPELLING,
  markup: MARKUP,
  text: TEXT,
  robots: ROBOTS,
  directives: DIRECTIVES,
  redirects: REDIRECTS,
  errors: ERRORS,
  duplicates: DUPLICATES,
  files: FILES,
  sitemaps: SITEMAPS,
  encodings: ENCODINGS,
  traps: TRAPS,
  oddities: ODDITIES,
};

export const PROFILE_SCHEMA: Schema<Profile> = new Schema<Profile>(TREE);
