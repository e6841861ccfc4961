/** Atoms on a URL other than on its host. */
import { asciiPath } from "./ascii-text.ts";
import { ArgumentMistake, type BuiltInAtom, onUrl } from "./atom.ts";
import { duplicateSegmentsLessThan } from "./duplicate-segments.ts";
import { globTest } from "./glob.ts";
import { linearPattern } from "./linear-pattern.ts";
import { hasParameter } from "./query-parameter.ts";
import { SuffixSet } from "./suffix-set.ts";

export const URL_ATOMS: Readonly<Record<string, BuiltInAtom>> = {
  SchemeEquals: onUrl.list((items) => {
    const schemes = items.map((item) => item.toLowerCase().replace(/:$/, ""));
    const [scheme] = schemes;
    if (schemes.length === 1) return (url) => url.scheme === scheme;
    return (url) => schemes.includes(url.scheme);
  }),
  PortIs: onUrl.list((items) => {
    const ports = items.map(readPort);
    return (url) => ports.includes(url.port);
  }),
  PathStartsWith: onUrl.list((items) => {
    const prefixes = items.map(asciiPath);
    return (url) => prefixes.some((prefix) => url.path.startsWith(prefix));
  }),
  PathEndsWithOneOf: onUrl.list((items) => {
    const suffixes = new SuffixSet(items.map(asciiPath));
    return (url) => suffixes.endsText(url.path);
  }),
  PathSegmentsAtMost: onUrl.count(0, (most) => (url) => segmentsOf(url.path) <= most),
  DuplicateSegmentsLessThan: onUrl.count(2, (threshold) => {
    const isAccepted = duplicateSegmentsLessThan(threshold);
    return (url) => isAccepted(url.path);
  }),
  QueryHasParam: onUrl.pair(1, (name, value) => (url) => hasParameter(url.query, name, value)),
  URLEquals: onUrl.text((text) => {
    const href = fetchableForm(text);
    return (url) => url.href === href;
  }),
  URLGlob: onUrl.text(globTest),
  URLMatches: onUrl.text((pattern) => {
    const matches = linearPattern(pattern, { isFull: false });
    return (url) => matches(url.href);
  }),
  URLMatchesRegex: onUrl.text((pattern) => {
    const matches = linearPattern(pattern, { isFull: true });
    return (url) => matches(url.href);
  }),
  URLShorterThan: onUrl.count(1, (length) => (url) => url.href.length < length),
};

function readPort(text: string, index: number): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new ArgumentMistake(`a port from 1 to 65535 is expected, not "${text}"`, index);
}

/** Neither fragment nor user is ever sent, so no URL that is shown to a filter has them. */
function fetchableForm(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new ArgumentMistake(`"${text}" is not an absolute URL`);
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}

/** `/` has none, `/a` and `/a/` have one, `/a//b` has three. */
function segmentsOf(path: string): number {
  let slashes = 0;
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) slashes += 1;
  return path.endsWith("/") ? slashes - 1 : slashes;
}
