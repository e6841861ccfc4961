/**
 * The link graph of a random walk. The tickets of a walk are numbered by walkers and their steps, since a
 * page may be visited again; the graph knows pages by the fingerprints of their URLs.
 */
import type { Acknowledge } from "../../base/seams/index.ts";
import type { FetchableUrl, LinkResolver } from "../../formats/url/index.ts";
import type { LinkSink } from "../topology/roles.ts";

export class WalkedGraph implements LinkSink {
  readonly #graph: LinkSink;
  readonly #resolver: LinkResolver;

  constructor(graph: LinkSink, resolver: LinkResolver) {
    this.#graph = graph;
    this.#resolver = resolver;
  }

  get hasRoom(): boolean {
    return this.#graph.hasRoom;
  }

  whenRoom(callback: () => void): void {
    this.#graph.whenRoom(callback);
  }

  add(...[page, links]: Parameters<LinkSink["add"]>): void {
    const url = page.url as FetchableUrl;
    const found = this.#resolver.resolve(url, this.#resolver.base(url));
    if (typeof found === "string") return;
    const { high, low } = found;
    this.#graph.add({ url, high, low }, links);
  }

  flush(done: Acknowledge): void {
    this.#graph.flush(done);
  }
}
