/** Which URLs of a web are within the scope of a crawl: near enough to its seeds. */

import { folderOf } from "../model/slot-paths.ts";
import type { WebModel } from "../model/web-model.ts";
import type { Scope } from "./truth-rules.ts";
import type { WebNode } from "./web-node.ts";

export class CrawlScope {
  readonly #scope: Scope;
  readonly #model: WebModel;
  readonly #isWwwStripped: boolean;
  /** URLs, hosts or domains, as the scope has it. */
  readonly #members = new Set<string | number>();
  readonly #folders: { readonly host: number; readonly folder: string }[] = [];

  constructor(model: WebModel, scope: Scope, isWwwStripped: boolean) {
    this.#model = model;
    this.#scope = scope;
    this.#isWwwStripped = isWwwStripped;
  }

  /** Widens the scope to a seed, or to where a seed redirects. */
  add(node: WebNode): void {
    const { hosts } = this.#model;
    switch (this.#scope) {
      case "page":
        this.#members.add(this.#urlOf(node));
        break;
      case "prefix":
        this.#folders.push({ host: this.#hostOf(node), folder: prefixOf(this.#targetOf(node)) });
        break;
      case "host":
        this.#members.add(this.#hostOf(node));
        break;
      case "domain":
        this.#members.add(hosts.names.domainOf(node.host));
        break;
      case "any":
        break;
    }
  }

  has(node: WebNode): boolean {
    switch (this.#scope) {
      case "page":
        return this.#members.has(this.#urlOf(node));
      case "prefix":
        return this.hasPath(this.#hostOf(node), this.#targetOf(node));
      case "host":
        return this.#members.has(this.#hostOf(node));
      case "domain":
        return this.#members.has(this.#model.hosts.names.domainOf(node.host));
      case "any":
        return true;
    }
  }

  /** The same for a page of a trap on a host. */
  hasTrapPage(host: number, target: string): boolean {
    if (this.#scope === "page") return false;
    if (this.#scope === "prefix") return this.hasPath(host * 2, target);
    return this.has({ host, slot: 0, variant: 0, isAlias: false });
  }

  /** Whether hosts that no seed names are within the scope. */
  get isUnbounded(): boolean {
    return this.#scope === "any";
  }

  hasPath(host: number, target: string): boolean {
    const path = target.replace(/\?.*$/, "");
    return this.#folders.some(
      (one) => one.host === host && (path === one.folder || path.startsWith(below(one.folder))),
    );
  }

  #targetOf({ host, slot, variant }: WebNode): string {
    return this.#model.paths.target(this.#model.hosts.contentOf(host), slot, variant);
  }

  #urlOf({ host, slot, variant, isAlias }: WebNode): string {
    return this.#model.url(host, slot, variant, isAlias && !this.#isWwwStripped);
  }

  /** A domain's bare name is another host, unless names are compared without their `www`. */
  #hostOf({ host, isAlias }: WebNode): number {
    return host * 2 + (isAlias && !this.#isWwwStripped ? 1 : 0);
  }
}

/** The path of a seed; of what has an extension, the folder. */
function prefixOf(target: string): string {
  const path = target.replace(/\?.*$/, "");
  return /\.[^/]*$/.test(path) ? folderOf(target) : path;
}

function below(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}
