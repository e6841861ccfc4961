/**
 * A link of a page, resolved: what filters look at and what the frontier is offered. There is one
 * for all links of all pages of a lane, and it shows the link at hand, so that a link costs no
 * object; parts of the URL are taken when somebody first reads them.
 */

import {
  type FetchableUrl,
  type HostName,
  type KeyHost,
  type LinkResolver,
  partsOf,
  registrableDomain,
  type UrlKey,
  type UrlParts,
} from "../../formats/url/index.ts";
import type { LinkView, UrlView } from "../../rules/filter/index.ts";
import type { FoundLink } from "./parsed-page.ts";

const NO_LINK: FoundLink = { url: "", kind: "", rel: "", text: "" };
const NOFOLLOW = /(?:^|[\t\n\f\r ])nofollow(?:$|[\t\n\f\r ])/i;

export class FollowedLink implements LinkView {
  readonly #resolver: LinkResolver;
  #written = NO_LINK;
  #isPageNofollow = false;
  #parts: UrlParts | null = null;
  #domain: string | null = null;
  source: UrlView | undefined;
  depth = 0;

  /** Made by `LinkFollower`, whose resolver holds the results. */
  constructor(resolver: LinkResolver) {
    this.#resolver = resolver;
  }

  /** Another page begins, whose links are so far from a seed. */
  enterPage(page: { source: UrlView; depth: number; isNofollow: boolean }): void {
    this.source = page.source;
    this.depth = page.depth;
    this.#isPageNofollow = page.isNofollow;
  }

  /** The resolver has just resolved this link. */
  show(written: FoundLink): void {
    this.#written = written;
    this.#parts = null;
    this.#domain = null;
  }

  get href(): FetchableUrl {
    return this.#resolver.url;
  }

  get key(): UrlKey {
    return this.#resolver.key;
  }

  /** The host that decides agent and shard. */
  get keyHost(): KeyHost {
    return this.#resolver.keyHost;
  }

  get shard(): number {
    return this.#resolver.shard;
  }

  /** The upper half of the fingerprint, unsigned. */
  get high(): number {
    return this.#resolver.fingerprint[0] as number;
  }

  /** The lower half of the fingerprint, unsigned. */
  get low(): number {
    return this.#resolver.fingerprint[1] as number;
  }

  get host(): HostName {
    return this.#resolver.host;
  }

  get scheme(): string {
    return this.#taken().scheme;
  }

  get port(): number {
    const { port, scheme } = this.#taken();
    if (port !== "") return Number(port.slice(1));
    return scheme === "https" ? 443 : 80;
  }

  get path(): string {
    return this.#taken().path;
  }

  get query(): string {
    return this.#taken().query.slice(1);
  }

  get domain(): string {
    this.#domain ??= registrableDomain(this.host) ?? this.host;
    return this.#domain;
  }

  get kind(): string {
    return this.#written.kind;
  }

  get rel(): string {
    return this.#written.rel;
  }

  get anchor(): string {
    return this.#written.text;
  }

  get nofollow(): boolean {
    const { rel } = this.#written;
    return this.#isPageNofollow || (rel !== "" && NOFOLLOW.test(rel));
  }

  #taken(): UrlParts {
    this.#parts ??= partsOf(this.#resolver.url);
    return this.#parts;
  }
}
