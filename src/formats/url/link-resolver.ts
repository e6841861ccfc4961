/**
 * The hot path of links: from the text of a link to its fetchable form, key, shard and
 * fingerprint. A lane keeps one resolver and hands it every link of every page.
 *
 * Most links are plain: the parser would leave them as they are, or only remove dots and the
 * fragment. Those are put after the bytes of their base, read once (`LinkScanner`) and hashed in
 * place; only unusual ones go to the parser. Writing the link's string into memory as a whole and
 * then reading bytes is three times as fast as reading it character by character. Joining two
 * strings costs almost nothing, so the string of an unchanged link is made that way, and only
 * otherwise from the bytes.
 *
 * Invariant: the results are those of `parseUrl`, `keyOf` and `Fingerprinter`, for every string.
 */
import assert from "node:assert/strict";
import { type FetchableUrl, parseUrl, URL_LENGTH_MAX } from "./fetchable-url.ts";
import { Fingerprinter, type FingerprintOptions } from "./fingerprinter.ts";
import { LinkBase } from "./link-base.ts";
import { LinkScanner, NOT_PLAIN } from "./link-scanner.ts";
import { NO_SCHEMES } from "./scheme.ts";
import { withoutSpaceAround } from "./space-around.ts";
import { keyOf, type UrlKey } from "./url-key.ts";
import { type KeyHost, keyHostOf } from "./url-parts.ts";
import type { UrlRefusal } from "./url-refusal.ts";
import { DEFAULT_URL_RULES, type UrlRules } from "./url-rules.ts";
import { strippableNames } from "./visitor-params.ts";

export interface LinkResolverOptions extends FingerprintOptions {
  readonly rules?: UrlRules;
  /** `limits.urlLength`: the longest fetchable form, in characters. */
  readonly urlLengthMax: number;
  /** Those of protocol modules, without their colons. */
  readonly schemes?: ReadonlySet<string>;
}

/** A link as it is sent, as it is compared, and where it belongs. */
export interface ResolvedLink {
  readonly url: FetchableUrl;
  readonly key: UrlKey;
  /** The host that decides agent and shard. */
  readonly keyHost: KeyHost;
  /** The upper half of the fingerprint, unsigned; it begins with the shard. */
  readonly high: number;
  /** The lower half of the fingerprint, unsigned. */
  readonly low: number;
}

/** Null: the link is not plain. */
type Verdict = ResolvedLink | UrlRefusal | null;

/** Longer links, and links of longer bases, are rare enough for the parser. */
const LINK_UNITS_MAX = 8_192;
const ORIGIN_UNITS_MAX = 512;
const FOLDER_UNITS_MAX = 4_096;

/** A character is at most three bytes per unit of its string. */
const LINK_BYTES_MAX = LINK_UNITS_MAX * 3;

export class LinkResolver {
  /** The schemes that are accepted besides http and https. */
  readonly schemes: ReadonlySet<string>;
  readonly #fingerprinter: Fingerprinter;
  readonly #memory: Buffer;
  readonly #scanner: LinkScanner;
  readonly #rules: UrlRules;
  readonly #urlLengthMax: number;
  /** Whether every URL without escapes and without strippable parameters is its own key. */
  readonly #hasPlainRules: boolean;
  /** Three areas, each beginning with the part of the base that a kind of link keeps. */
  readonly #originAt: number;
  readonly #folderAt: number;
  readonly #schemeAt: number;
  #inMemory: LinkBase | null = null;
  #isFolderWhole = false;

  // The current link: its text, where that was put, and what precedes it there.
  #text = "";
  #textAt = 0;
  #textEnd = 0;
  #prefix = "";
  /** Whether the key keeps what precedes the text. */
  #keepsPrefix = false;
  #hostAt = 0;
  #hostEnd = 0;
  /** The base, when the link leads to the same host. */
  #ownBase: LinkBase | null = null;

  constructor(options: LinkResolverOptions) {
    assert(options.urlLengthMax <= URL_LENGTH_MAX, "a URL has at most 65,536 characters");
    const roomBytes = ORIGIN_UNITS_MAX * 2 + FOLDER_UNITS_MAX + LINK_BYTES_MAX * 3;
    this.#fingerprinter = new Fingerprinter(options, roomBytes);
    this.#memory = this.#fingerprinter.memory;
    this.#originAt = this.#fingerprinter.roomAt;
    this.#schemeAt = this.#originAt + ORIGIN_UNITS_MAX + LINK_BYTES_MAX;
    this.#folderAt = this.#schemeAt + ORIGIN_UNITS_MAX + LINK_BYTES_MAX;
    this.#rules = options.rules ?? DEFAULT_URL_RULES;
    this.#urlLengthMax = options.urlLengthMax;
    this.schemes = options.schemes ?? NO_SCHEMES;
    const { sessionIds, sortQuery, trailingSlash, indexPages, www } = this.#rules;
    this.#hasPlainRules = !sortQuery && [trailingSlash, indexPages, www].every((r) => r === "keep");
    this.#scanner = new LinkScanner(
      this.#memory,
      strippableNames(this.#rules),
      sessionIds === "strip",
    );
  }

  /** Takes a page's URL apart for its links. */
  base(url: FetchableUrl): LinkBase {
    return new LinkBase(url, this.#rules, (host) => this.#fingerprinter.shardOf(host));
  }

  /** The link, or the reason why it is not crawled. */
  resolve(link: string, base: LinkBase): ResolvedLink | UrlRefusal {
    const plain = base.isWeb ? this.#resolvePlain(withoutSpaceAround(link), base) : null;
    return plain ?? this.#resolveByParser(link, base);
  }

  #resolveByParser(link: string, base: LinkBase): ResolvedLink | UrlRefusal {
    // Only a file may lead to files.
    const files = base.scheme === FILE_SCHEME;
    const limits = { lengthMax: this.#urlLengthMax, schemes: this.schemes };
    const outcome = parseUrl(link, { base: base.url, ...limits, files });
    if (outcome.kind === "refused") return outcome.reason;
    // The output of the parser is usually plain, and then this way is faster.
    const plain = this.#resolvePlain(outcome.url, base);
    if (plain !== null) return plain;
    this.#ownBase = null;
    return this.#withKey(outcome.url);
  }

  #resolvePlain(text: string, base: LinkBase): Verdict {
    this.#ownBase = null;
    if (text.length > LINK_UNITS_MAX || !this.#enter(base)) return null;
    this.#scanner.begin();
    if (text === "") return this.#resolveInFolder(base.file + base.query, base);
    switch (text.charCodeAt(0)) {
      case SLASH:
        return text.charCodeAt(1) === SLASH
          ? this.#resolveNetworkPath(text, base)
          : this.#resolveFromOrigin(text, base);
      case QUESTION:
        return this.#resolveInFolder(base.file + text, base);
      case HASH:
        return this.#resolveInFolder(base.file + base.query, base);
      default:
        return this.#resolveText(text, base);
    }
  }

  /** Writes the parts of the base to memory, for links to follow them; false if they are too long. */
  #enter(base: LinkBase): boolean {
    if (this.#inMemory === base) {
      if (!this.#isFolderWhole) this.#enterFolder(base);
      return true;
    }
    if (base.origin.length > ORIGIN_UNITS_MAX || base.folder.length > FOLDER_UNITS_MAX)
      return false;
    this.#memory.write(base.origin, this.#originAt, "latin1");
    this.#memory.write(base.scheme, this.#schemeAt, "latin1");
    this.#enterFolder(base);
    this.#inMemory = base;
    return true;
  }

  #enterFolder(base: LinkBase): void {
    this.#memory.write(base.folder, this.#folderAt, "latin1");
    this.#isFolderWhole = true;
  }

  /** `/path` */
  #resolveFromOrigin(text: string, base: LinkBase): Verdict {
    const at = this.#originAt + base.origin.length;
    this.#put(text, at, base.origin);
    this.#ownBase = base;
    this.#keepsPrefix = base.keepsHost;
    return this.#resolvePath(this.#originAt, at + 1, at + 1);
  }

  /** A link that keeps more of the base than its folder: the text begins with the rest. */
  #resolveInFolder(text: string, base: LinkBase): Verdict {
    if (text.length > LINK_UNITS_MAX) return null;
    this.#put(text, this.#folderAt + base.folder.length, base.folder);
    return this.#resolvePutInFolder(base);
  }

  #resolvePutInFolder(base: LinkBase): Verdict {
    this.#ownBase = base;
    this.#keepsPrefix = base.keepsFolder;
    const root = this.#folderAt + base.origin.length + 1;
    const verdict = this.#resolvePath(this.#folderAt, root, this.#textAt);
    // `..` has overwritten the folder; the result is valid until the next link.
    this.#isFolderWhole = !this.#scanner.hasDots;
    return verdict;
  }

  /** `//host/path` */
  #resolveNetworkPath(text: string, base: LinkBase): Verdict {
    const at = this.#schemeAt + base.scheme.length;
    this.#put(text, at, base.scheme);
    return this.#resolveHost(this.#schemeAt, at + 2);
  }

  /** `path` or `scheme:rest`: a colon decides which. */
  #resolveText(text: string, base: LinkBase): Verdict {
    const at = this.#folderAt + base.folder.length;
    this.#put(text, at, base.folder);
    const hostAt = this.#scanner.hostStart(at);
    if (hostAt === NOT_PLAIN) return this.#resolveOther(text, base);
    this.#prefix = "";
    if (this.#scanner.isAtOrigin(at, this.#textEnd, this.#originAt, base.origin.length)) {
      this.#ownBase = base;
      this.#keepsPrefix = base.keepsHost;
      return this.#resolveAfterHost(at, at + base.origin.length);
    }
    return this.#resolveHost(at, hostAt);
  }

  /** `path`, or a scheme that is not crawled, or one that is, in an unusual form. */
  #resolveOther(text: string, base: LinkBase): Verdict {
    const colonAt = this.#scanner.schemeEnd(this.#textAt, this.#textEnd);
    if (colonAt === NOT_PLAIN) return this.#resolvePutInFolder(base);
    const scheme = text.slice(0, colonAt - this.#textAt);
    const mayParse = WEB_SCHEME.test(scheme) || this.schemes.has(scheme.toLowerCase());
    return mayParse || base.scheme === FILE_SCHEME ? null : "scheme-unsupported";
  }

  #resolveHost(urlAt: number, hostAt: number): Verdict {
    const hostEnd = this.#scanner.hostEnd(hostAt, this.#textEnd);
    if (hostEnd === NOT_PLAIN) return null;
    this.#keepsPrefix = true;
    this.#hostAt = hostAt;
    this.#hostEnd = hostEnd;
    return this.#resolveAfterHost(urlAt, hostEnd);
  }

  #resolveAfterHost(urlAt: number, hostEnd: number): Verdict {
    if (this.#memory[hostEnd] === SLASH && hostEnd < this.#textEnd) {
      return this.#resolvePath(urlAt, hostEnd + 1, hostEnd + 1);
    }
    if (this.#memory[hostEnd] === QUESTION && hostEnd < this.#textEnd) return null;
    this.#memory[hostEnd] = SLASH;
    this.#scanner.endAt(hostEnd + 1);
    return this.#settle(urlAt);
  }

  #resolvePath(urlAt: number, root: number, from: number): Verdict {
    const scanner = this.#scanner;
    if (!scanner.scan(from, this.#textEnd)) return null;
    if (scanner.hasDots) scanner.removeDots(root, from);
    return this.#settle(urlAt);
  }

  #put(text: string, at: number, prefix: string): void {
    this.#text = text;
    this.#prefix = prefix;
    this.#textAt = at;
    this.#textEnd = at + this.#memory.write(text, at);
  }

  /** The URL is between `urlAt` and the scanner's end, as the parser would have written it. */
  #settle(urlAt: number): Verdict {
    const { end, hasChanged, needsKey } = this.#scanner;
    if (end - urlAt > this.#urlLengthMax) return "url-too-long";
    const url = (
      hasChanged ? this.#memory.toString("latin1", urlAt, end) : this.#joined(end)
    ) as FetchableUrl;
    if (!this.#hasPlainRules || needsKey || !this.#keepsPrefix) return this.#withKey(url);
    const shard = this.#ownBase?.shard ?? this.#shardOfHost();
    this.#fingerprinter.fingerprintText(urlAt, end - urlAt, shard);
    return this.#resolved(url, url as string as UrlKey);
  }

  #joined(end: number): string {
    const isWhole = end === this.#textEnd;
    return this.#prefix + (isWhole ? this.#text : this.#text.slice(0, end - this.#textAt));
  }

  #shardOfHost(): number {
    return this.#fingerprinter.shardOfText(this.#hostAt, this.#hostEnd - this.#hostAt);
  }

  #withKey(url: FetchableUrl): ResolvedLink {
    const key = keyOf(url, this.#rules);
    this.#fingerprinter.fingerprint(key);
    return this.#resolved(url, key);
  }

  /** The fingerprint has just been made. */
  #resolved(url: FetchableUrl, key: UrlKey): ResolvedLink {
    const { halves } = this.#fingerprinter;
    const keyHost = this.#ownBase?.keyHost ?? keyHostOf(key);
    return { url, key, keyHost, high: halves[0] as number, low: halves[1] as number };
  }
}

const FILE_SCHEME = "file:";
const WEB_SCHEME = /^https?$/i;

const SLASH = 0x2f;
const QUESTION = 0x3f;
const HASH = 0x23;
