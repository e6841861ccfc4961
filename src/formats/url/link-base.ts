/**
 * What the links of one page are resolved against, split once: the page's own URL, or that of its
 * `<base>`. The parts are those that a relative link keeps, by its kind: `//x` keeps the
 * scheme, `/x` the origin, `x` the folder, `?x` folder and file, `#x` everything. Made by
 * `LinkResolver`.
 */
import type { FetchableUrl } from "./fetchable-url.ts";
import { keyHostFor, keyOf } from "./url-key.ts";
import { type KeyHost, originOf, partsOf } from "./url-parts.ts";
import type { UrlRules } from "./url-rules.ts";

export class LinkBase {
  readonly url: FetchableUrl;
  readonly keyHost: KeyHost;
  readonly shard: number;
  /** Whether the key of a URL of this host has the same host. */
  readonly keepsHost: boolean;
  /** Whether the key of a URL in this folder has the same folder. */
  readonly keepsFolder: boolean;
  /** With its colon. */
  readonly scheme: string;
  /** Whether it is http or https. */
  readonly isWeb: boolean;
  readonly origin: string;
  /** Origin and path up to the last slash, which is included. */
  readonly folder: string;
  /** The path's last segment, often empty. */
  readonly file: string;
  readonly query: string;

  constructor(url: FetchableUrl, rules: UrlRules, shardOf: (host: KeyHost) => number) {
    const { scheme, host, path, query } = partsOf(url);
    const fileAt = path.lastIndexOf("/") + 1;
    this.url = url;
    this.keyHost = keyHostFor(host, rules);
    this.shard = shardOf(this.keyHost);
    this.keepsHost = host === this.keyHost.toString();
    this.scheme = `${scheme}:`;
    this.isWeb = scheme === "https" || scheme === "http";
    this.origin = originOf(url);
    this.folder = this.origin + path.slice(0, fileAt);
    this.file = path.slice(fileAt);
    this.query = query;
    // Without these characters a folder is its own key; making the key would take much longer.
    this.keepsFolder =
      this.keepsHost && (!/[%;(]/.test(this.folder) || isItsOwnKey(this.folder, rules));
  }
}

function isItsOwnKey(folder: string, rules: UrlRules): boolean {
  return keyOf(folder as FetchableUrl, rules).toString() === folder;
}
