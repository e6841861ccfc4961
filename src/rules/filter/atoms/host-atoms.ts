/**
 * Atoms on the host of a URL. Hosts are compared as they are connected to: in lower case, and in
 * the ASCII form of international names, to which arguments are converted when a filter is loaded.
 */

import type { Predicate, UrlView } from "../view.ts";
import { asciiHost } from "./ascii-text.ts";
import { type BuiltInAtom, onUrl } from "./atom.ts";
import { domainConstraint } from "./domain-constraint.ts";
import { linearPattern } from "./linear-pattern.ts";
import { SuffixSet } from "./suffix-set.ts";

export const HOST_ATOMS: Readonly<Record<string, BuiltInAtom>> = {
  HostEquals: onUrl.list((items) => {
    const hosts = new Set(items.map(asciiHost));
    return (url) => hosts.has(url.host);
  }),
  HostEndsWith: onUrl.list(hostEndsWith),
  HostEndsWithOneOf: onUrl.list(hostEndsWith),
  HostMatches: onUrl.text((pattern) => {
    const matches = linearPattern(pattern, { isFull: false });
    return (url) => matches(url.host);
  }),
  DomainIs: onUrl.list((items) => {
    const domains = new Set(items.map(asciiHost));
    return (url) => domains.has(url.domain);
  }),
  DomainConstraint: onUrl.list((items) => {
    const admits = domainConstraint(items.map(asciiHost));
    return (url) => admits(url.host);
  }),
};

function hostEndsWith(items: readonly string[]): Predicate<UrlView> {
  const suffixes = items.map(asciiHost);
  const [suffix] = suffixes;
  if (suffix !== undefined && suffixes.length === 1) return (url) => url.host.endsWith(suffix);
  const set = new SuffixSet(suffixes);
  return (url) => set.endsText(url.host);
}
