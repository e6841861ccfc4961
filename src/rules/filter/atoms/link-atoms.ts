/** Atoms on how a URL was reached (its source and depth) and on the link that leads to it. */

import { hasRel } from "../../../formats/link/index.ts";
import { type BuiltInAtom, onHop, onLink } from "./atom.ts";
import { linearPattern } from "./linear-pattern.ts";

/** A seed has no source; atoms that compare a URL with its source accept it. */
export const LINK_ATOMS: Readonly<Record<string, BuiltInAtom>> = {
  DepthAtMost: onHop.count(0, (most) => (hop) => hop.depth <= most),
  SameHost: onHop.plain((hop) => hop.source === undefined || hop.source.host === hop.host),
  SameDomain: onHop.plain((hop) => hop.source === undefined || hop.source.domain === hop.domain),
  SameOrigin: onHop.plain(
    ({ source, host, scheme, port }) =>
      source === undefined ||
      (source.host === host && source.scheme === scheme && source.port === port),
  ),
  IsNofollow: onLink.plain((link) => link.nofollow),
  LinkKindIs: onLink.list((items) => {
    const kinds = items.map((item) => item.toLowerCase());
    return (link) => kinds.includes(link.kind);
  }),
  RelHas: onLink.list((items) => {
    const wanted = new Set(items.map((item) => item.toLowerCase()));
    return (link) => hasRel(link.rel, wanted);
  }),
  AnchorMatches: onLink.text((pattern) => {
    const matches = linearPattern(pattern, { isFull: false });
    return (link) => matches(link.anchor);
  }),
};
