/**
 * URLs: what is sent, what is compared, and what decides where a URL belongs.
 *
 * A text becomes a *fetchable form* (`parseUrl`), by the platform's WHATWG parser: what is sent.
 * From it comes the *key* (`keyOf`): what is compared, with escapes in their normal form and the
 * optional rules of the configuration applied. From the key come the *fingerprint*, 64 bits hashed
 * with a secret of the crawl, and the host's hashes for ring and shard. Nothing here throws because
 * of a text: what cannot be crawled is refused with a reason from `URL_REFUSALS`.
 *
 *     text ──parseUrl──► FetchableUrl ──keyOf──► UrlKey ──Fingerprinter──► shard, fingerprint
 *                            │                     └─keyHostOf─► KeyHost ──HostHasher──► ring point
 *                            └─hostOf─► HostName (politeness)   originOf ─► Origin (robots.txt)
 *
 * `LinkResolver` does all of this for the links of a page, several times as fast and with the same
 * results: it passes only unusual links to the parser. `registrableDomain` and `surtOf` are other
 * views of a host, for scopes and indexes.
 *
 * Words of this module:
 * - *folder*, *file*: the path of a base up to its last slash, and what follows
 * - *SURT*: a URL with its host reversed, for sorting: `hu,bme,www)/path`
 *
 * Read `fetchable-url.ts` and `url-key.ts` first; `link-resolver.ts` when it has to be fast.
 */
export { assumedUrl } from "./bare-domain.ts";
export {
  type FetchableUrl,
  parseUrl,
  URL_LENGTH_MAX,
  type UrlOutcome,
} from "./fetchable-url.ts";
export { Fingerprinter } from "./fingerprinter.ts";
export { HostHasher } from "./host-hash.ts";
export { surtOf } from "./host-notation.ts";
export type { LinkBase } from "./link-base.ts";
export { LinkResolver, type ResolvedLink } from "./link-resolver.ts";
export { type DomainName, registrableDomain, registrationOf } from "./registrable-domain.ts";
export { BUILT_IN_SCHEMES, portOfScheme } from "./scheme.ts";
export { keyOf, type UrlKey } from "./url-key.ts";
export {
  type HostName,
  hostOf,
  type KeyHost,
  keyHostOf,
  type Origin,
  originOf,
  partsOf,
  type UrlParts,
} from "./url-parts.ts";
export { URL_REFUSALS, type UrlRefusal } from "./url-refusal.ts";
export { DEFAULT_URL_RULES, type UrlRules } from "./url-rules.ts";
