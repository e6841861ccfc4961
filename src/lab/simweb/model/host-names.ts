/**
 * Names of hosts from their numbers and back, without a table. Neighbouring numbers share a domain
 * now and then; a domain's label ends in the number of its first host, and the labels before it say
 * which of its hosts is meant:
 *
 *     www.karino-2s.test   shop.karino-2s.test   www.xn--bcher-2t-n2a.test
 *
 * All names are under `.test`, which no real host ever is (RFC 6761).
 */
import { domainToASCII, domainToUnicode } from "node:url";
import type { Profile } from "../profile/profile.ts";
import { Chance, threshold } from "./chance.ts";
import { pronounceable } from "./slug.ts";

const TOP = "test";
/** A domain has at most as many hosts as there are names for the hosts in it. */
const BLOCK = 8;
const SUB_NAMES = ["www", "shop", "blog", "news", "wiki", "docs", "forum", "archive"] as const;
const INTERNATIONAL_STEMS = [
  "bücher",
  "tromsø",
  "kávéház",
  "żółw",
  "señal",
  "façade",
  "дом",
  "новости",
  "θάλασσα",
  "日本",
  "れい",
  "中文",
  "한국",
] as const;

/** A host of the web, or the bare name of a domain that only redirects to it. */
export interface NamedHost {
  readonly host: number;
  readonly isAlias: boolean;
}

export class HostNames {
  readonly #count: number;
  readonly #chance: { starts: Chance; international: Chance; alias: Chance; stem: Chance };
  readonly #share: { starts: number; international: number; alias: number };

  constructor(seed: string, { count, perDomain, international, aliases }: Profile["hosts"]) {
    this.#count = count;
    this.#chance = {
      starts: new Chance(seed, "domain"),
      international: new Chance(seed, "international domain"),
      alias: new Chance(seed, "alias of a domain"),
      stem: new Chance(seed, "stem of a domain"),
    };
    this.#share = {
      starts: threshold(1 / perDomain),
      international: threshold(international),
      alias: threshold(aliases),
    };
  }

  /** The number of the first host in the same domain. */
  domainOf(host: number): number {
    let first = host;
    while (!this.#startsDomain(first)) first -= 1;
    return first;
  }

  /** The number after the last host in the same domain. */
  domainEnd(host: number): number {
    let next = host + 1;
    while (next < this.#count && !this.#startsDomain(next)) next += 1;
    return next;
  }

  /** Whether the bare name of this host's domain redirects to this host. */
  hasAlias(host: number): boolean {
    return this.#startsDomain(host) && this.#chance.alias.one(host, 0) < this.#share.alias;
  }

  /** As it stands in a URL: lower case, punycode. */
  nameOf(host: number): string {
    const domain = this.domainOf(host);
    return this.#nameIn(domain, host - domain, this.#label(domain));
  }

  /** With its letters as people write them; the same as `nameOf` for most hosts. */
  writtenNameOf(host: number): string {
    const domain = this.domainOf(host);
    return this.#nameIn(domain, host - domain, this.#writtenLabel(domain));
  }

  aliasOf(host: number): string {
    return `${this.#label(this.domainOf(host))}.${TOP}`;
  }

  /** The host with this name in its normal form, if there is one. */
  find(name: string): NamedHost | null {
    const labels = name.split(".");
    if (labels.length < 2 || labels.length > 3 || labels.at(-1) !== TOP) return null;
    const domain = numberIn(labels.at(-2) ?? "");
    if (!(domain < this.#count) || !this.#startsDomain(domain)) return null;
    const sub = labels.length === 3 ? SUB_NAMES.indexOf(labels[0] as "www") : 0;
    const host = domain + Math.max(0, sub);
    if (host >= this.domainEnd(domain)) return null;
    if (this.nameOf(host) === name) return { host, isAlias: false };
    return this.hasAlias(host) && this.aliasOf(host) === name ? { host, isAlias: true } : null;
  }

  #startsDomain(host: number): boolean {
    return host % BLOCK === 0 || this.#chance.starts.one(host, 0) < this.#share.starts;
  }

  #nameIn(domain: number, ordinal: number, label: string): string {
    const isBare = ordinal === 0 && !this.hasAlias(domain) && (domain & 1) === 0;
    return isBare ? `${label}.${TOP}` : `${SUB_NAMES[ordinal]}.${label}.${TOP}`;
  }

  #label(domain: number): string {
    const written = this.#writtenLabel(domain);
    return this.#isInternational(domain) ? domainToASCII(written) : written;
  }

  #writtenLabel(domain: number): string {
    const word = this.#chance.stem.one(domain, 0);
    const stem = this.#isInternational(domain)
      ? (INTERNATIONAL_STEMS[word % INTERNATIONAL_STEMS.length] ?? "")
      : pronounceable(word);
    return `${stem}-${domain.toString(36)}`;
  }

  #isInternational(domain: number): boolean {
    return this.#chance.international.one(domain, 1) < this.#share.international;
  }
}

/** The number at the end of a label as it would be written; not a number when there is none. */
function numberIn(label: string): number {
  const written = label.startsWith("xn--") ? domainToUnicode(label) : label;
  return Number.parseInt(written.slice(written.lastIndexOf("-") + 1), 36);
}
