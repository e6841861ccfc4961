/**
 * Sitemaps: which hosts have one, what it lists, and how it is served. Large hosts have an index
 * and parts, every other part compressed.
 */
import { gzipSync } from "node:zlib";
import { type Chance, threshold } from "../model/chance.ts";
import type { Role } from "../model/role.ts";
import type { WebModel } from "../model/web-model.ts";
import { answer, textAnswer } from "./answer.ts";
import type { WebResponse } from "./synthetic-web.ts";

const SLOTS_PER_PART = 1000;
const SITEMAP = "/sitemap.xml";
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const XML = "application/xml";
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export class Sitemaps {
  readonly #model: WebModel;
  readonly #chance: Chance;
  readonly #share: number;

  constructor(model: WebModel) {
    this.#model = model;
    this.#chance = model.chance("sitemap");
    this.#share = threshold(model.profile.sitemaps.hosts);
  }

  /** The URL of a host's sitemap; null where it has none. */
  urlOf(host: number): string | null {
    if (!this.#isThere(this.#model.hosts.contentOf(host))) return null;
    return this.#model.originOf(this.#model.hosts.names.nameOf(host)) + SITEMAP;
  }

  /** Whether a sitemap, where there is one, lists URLs of this role. */
  lists(role: Role): boolean {
    return role === "page" || role === "sitemap-only";
  }

  /** Whether this is the path of a sitemap of the host, or of a part of it. */
  isSitemap(host: number, target: string): boolean {
    return this.#partOf(host, target) !== null;
  }

  answer(host: number, target: string): WebResponse | null {
    const part = this.#partOf(host, target);
    if (part === null) return null;
    const isWhole = part === 0 && this.#parts(host) === 1;
    const text = part === 0 && !isWhole ? this.#index(host) : this.#list(host, isWhole ? 1 : part);
    if (!target.endsWith(".gz")) return textAnswer(text, XML);
    return answer(200, [["Content-Type", "application/gzip"]], gzipSync(text));
  }

  /** 0 for the sitemap itself, else the number of the part. */
  #partOf(host: number, target: string): number | null {
    if (!target.startsWith("/sitemap") || !this.#isThere(this.#model.hosts.contentOf(host))) {
      return null;
    }
    if (target === SITEMAP) return 0;
    const part = Number(/^\/sitemap-(\d{1,6})\.xml(?:\.gz)?$/.exec(target)?.[1] ?? 0);
    const isPart = part >= 1 && part <= this.#parts(host) && this.#parts(host) > 1;
    return isPart && partPath(part) === target ? part : null;
  }

  #index(host: number): string {
    const { hosts } = this.#model;
    const origin = this.#model.originOf(hosts.names.nameOf(host));
    const parts = Array.from({ length: this.#parts(host) }, (_, index) => index + 1);
    const lines = parts.map((part) => `<sitemap><loc>${origin}${partPath(part)}</loc></sitemap>\n`);
    return `${HEAD}<sitemapindex ${NAMESPACE}>\n${lines.join("")}</sitemapindex>\n`;
  }

  #list(host: number, part: number): string {
    const { hosts, slots } = this.#model;
    const content = hosts.contentOf(host);
    const first = (part - 1) * SLOTS_PER_PART;
    const end = Math.min(hosts.size(host), first + SLOTS_PER_PART);
    let lines = "";
    for (let slot = first; slot < end; slot += 1) {
      if (!this.lists(slots.role(content, slot))) continue;
      const url = this.#model.url(host, slot).replaceAll("&", "&amp;");
      lines += `<url><loc>${url}</loc><priority>0.5</priority></url>\n`;
    }
    return `${HEAD}<urlset ${NAMESPACE}>\n${lines}</urlset>\n`;
  }

  #parts(host: number): number {
    return Math.ceil(this.#model.hosts.size(host) / SLOTS_PER_PART);
  }

  #isThere(content: number): boolean {
    return this.#share > 0 && this.#chance.one(content, 0) < this.#share;
  }
}

function partPath(part: number): string {
  return `/sitemap-${part}.xml${(part & 1) === 0 ? ".gz" : ""}`;
}
