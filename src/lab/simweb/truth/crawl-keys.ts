/** From the keys of a crawl to the nodes of the web and back. */
import {
  DEFAULT_URL_RULES,
  type FetchableUrl,
  keyOf,
  parseUrl,
  partsOf,
  type UrlKey,
  type UrlRules,
} from "../../../formats/url/index.ts";
import { lastNumber } from "../model/slot-paths.ts";
import { VARIANTS } from "../model/variant.ts";
import type { WebModel } from "../model/web-model.ts";
import type { PageKey } from "./crawl-truth.ts";
import type { WebNode } from "./web-node.ts";

export interface KeyParts {
  /** The host's name. */
  readonly name: string;
  /** Path and query. */
  readonly target: string;
}

export class CrawlKeys {
  readonly #model: WebModel;
  readonly #rules: UrlRules;
  readonly #isUsual: boolean;

  constructor(model: WebModel, rules: UrlRules) {
    this.#model = model;
    this.#rules = rules;
    const names = Object.keys(DEFAULT_URL_RULES) as (keyof UrlRules)[];
    this.#isUsual = names.every((name) => rules[name] === DEFAULT_URL_RULES[name]);
  }

  /** The key of what was asked for; for a text that is not a URL, one that is not a key. */
  keyOf(name: string, target: string): PageKey {
    return this.keyOfUrl(this.#model.originOf(name) + target);
  }

  keyOfUrl(url: string): PageKey {
    const parsed = parseUrl(url);
    return parsed.kind === "accepted" ? keyOf(parsed.url, this.#rules) : url;
  }

  keyOfNode(node: WebNode): UrlKey {
    return keyOf(this.urlOf(node), this.#rules);
  }

  /** The model's URLs are in fetchable form: tests hold every one of them to that. */
  urlOf({ host, slot, variant, isAlias }: WebNode): FetchableUrl {
    return this.#model.url(host, slot, variant, isAlias) as FetchableUrl;
  }

  /** Null for anything but a key of this web's scheme and port. */
  partsOf(key: PageKey): KeyParts | null {
    const parsed = parseUrl(key);
    if (parsed.kind === "refused") return null;
    const { host, path, query } = partsOf(parsed.url);
    const target = path + query;
    return this.#model.originOf(host) + target === parsed.url ? { name: host, target } : null;
  }

  /** What may have been sent for a key: under unusual rules that is not the key itself. */
  sentForms(parts: KeyParts): readonly KeyParts[] {
    if (this.#isUsual) return [parts];
    const { name, target } = parts;
    const [path = "", query] = target.split("?");
    const params = query?.split("&").reverse().join("&");
    const targets = [
      target,
      query === undefined ? `${path}/` : `${path}/?${query}`,
      `${path}?${params}`,
    ];
    const names = [name, `www.${name}`];
    return names.flatMap((one) => targets.map((sent) => ({ name: one, target: sent })));
  }

  /** A node with this key, if there is one. */
  nodeOf(key: PageKey): WebNode | null {
    const parts = this.partsOf(key);
    if (parts === null) return null;
    for (const name of this.#isUsual ? [parts.name] : [parts.name, `www.${parts.name}`]) {
      const found = this.#model.hosts.names.find(name);
      if (found === null) continue;
      const content = this.#model.hosts.contentOf(found.host);
      const path = this.#model.paths.find(content, parts.target);
      if (path !== null) return { ...found, ...path };
      const other = this.#isUsual ? null : this.#search(key, parts.target, found);
      if (other !== null) return other;
    }
    return null;
  }

  /** Under unusual rules a key is not what is sent: the slot is guessed and its keys are tried. */
  #search(
    key: PageKey,
    target: string,
    found: { readonly host: number; readonly isAlias: boolean },
  ): WebNode | null {
    const size = this.#model.hosts.size(found.host);
    const inQuery = /[?&]id=(\d{1,9})(?:&|$)/.exec(target)?.[1];
    const numbers = [lastNumber(target), inQuery === undefined ? 0 : Number(inQuery), 0];
    for (const slot of numbers.filter((number) => number >= 0 && number < size)) {
      for (let variant = 0; variant < VARIANTS; variant += 1) {
        const node = { ...found, slot, variant };
        if (this.keyOfNode(node) === key) return node;
      }
    }
    return null;
  }
}
