/**
 * How far from its seeds a crawl goes (the key `scope`). A seed that redirects widens the scope to
 * its target, so a seed `example.org` that redirects to `www.example.org` can be crawled.
 *
 * Hosts are compared as they are in keys: with `url.www: strip` both names are one.
 */

import {
  type FetchableUrl,
  type KeyHost,
  keyHostOf,
  keyOf,
  partsOf,
  type ResolvedLink,
  registrableDomain,
  type UrlKey,
  type UrlRules,
} from "../../formats/url/index.ts";
import type { Configuration } from "../../rules/config/index.ts";

/** A URL as far as a scope looks at it. */
export interface ScopedUrl {
  readonly key: UrlKey;
  readonly keyHost: KeyHost;
  /** As fetched, from the first slash to the query. */
  readonly path: string;
}

export interface SavedScope {
  readonly members: readonly string[];
  readonly folders: readonly (readonly [host: string, folders: readonly string[]])[];
}

export class CrawlScope {
  readonly #scope: Configuration["scope"];
  readonly #rules: UrlRules;
  /** Keys, hosts or domains, depending on the scope. */
  readonly #members = new Set<string>();
  /** For `prefix`: the paths of each host, below which everything is inside. */
  readonly #folders = new Map<string, Set<string>>();
  /** Most links of a page lead to one host, so the last answer is kept. */
  #lastHost: string | null = null;
  #hasLastHost = false;

  constructor(scope: Configuration["scope"], rules: UrlRules) {
    this.#scope = scope;
    this.#rules = rules;
  }

  /** Widens the scope to a seed, or to where a seed redirects; false if it was inside already. */
  add(url: FetchableUrl): boolean {
    const key = keyOf(url, this.#rules);
    return this.addResolved({ url, key, keyHost: keyHostOf(key) });
  }

  addResolved({ url, key, keyHost }: Pick<ResolvedLink, "url" | "key" | "keyHost">): boolean {
    this.#lastHost = null;
    if (this.#scope === "any") return false;
    if (this.#scope === "prefix") return this.#addFolder(keyHost, folderOf(url));
    const { size } = this.#members;
    this.#members.add(this.groupOf({ key, keyHost }));
    return this.#members.size > size;
  }

  save(): SavedScope {
    const folders = Array.from(this.#folders, ([host, paths]) => [host, [...paths]] as const);
    return { members: [...this.#members], folders };
  }

  /** Widens the scope to all that another had. */
  restore({ members, folders }: SavedScope): void {
    this.#lastHost = null;
    for (const member of members) this.#members.add(member);
    for (const [host, paths] of folders) for (const path of paths) this.#addFolder(host, path);
  }

  /** Adding a URL changes nothing for the URLs of other groups. */
  groupOf({ key, keyHost }: Pick<ScopedUrl, "key" | "keyHost">): string {
    if (this.#scope === "page") return key;
    return this.#scope === "domain" ? domainOf(keyHost) : keyHost;
  }

  /** Whether everything is within the scope, so that it cannot grow. */
  get isUnbounded(): boolean {
    return this.#scope === "any";
  }

  has(url: ScopedUrl): boolean {
    switch (this.#scope) {
      case "any":
        return true;
      case "page":
        return this.#members.has(url.key);
      case "prefix":
        return isBelowAny(url.path, this.#folders.get(url.keyHost) ?? NONE);
      default:
        return this.#hasHost(url.keyHost);
    }
  }

  #hasHost(host: KeyHost): boolean {
    if (host !== this.#lastHost) {
      this.#lastHost = host;
      this.#hasLastHost = this.#members.has(this.#scope === "host" ? host : domainOf(host));
    }
    return this.#hasLastHost;
  }

  #addFolder(host: string, folder: string): boolean {
    const folders = this.#folders.get(host) ?? new Set();
    if (isBelowAny(folder, folders)) return false;
    this.#folders.set(host, folders.add(folder));
    return true;
  }
}

/**
 * What a seed stands for in the scope `prefix`: its whole path, or, if that looks like a file, its
 * folder. `/library` is that page and everything below it, `/docs/index.html` all of `/docs/`.
 */
function folderOf(url: FetchableUrl): string {
  const { path } = partsOf(url);
  const end = path.lastIndexOf("/") + 1;
  return path.includes(".", end) ? path.slice(0, end) : path;
}

const NONE: ReadonlySet<string> = new Set();
/** Up to this many folders are compared one by one, which is quicker than to cut the path. */
const COMPARED_MAX = 8;

/** Takes as long as the path has segments, however many seeds a host has. */
function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.size <= COMPARED_MAX) {
    for (const folder of folders) if (isBelow(path, folder)) return true;
    return false;
  }
  if (folders.has(path)) return true;
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    if (folders.has(path.slice(0, at)) || folders.has(path.slice(0, at + 1))) return true;
  }
  return false;
}

/** By whole segments: `/libraryx` is not below `/library`. */
function isBelow(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return folder.endsWith("/") || path.length === folder.length || path[folder.length] === "/";
}

/** A host that belongs to no registrable domain (an address, `localhost`) is its own. */
function domainOf(host: KeyHost): string {
  return registrableDomain(host) ?? host;
}
