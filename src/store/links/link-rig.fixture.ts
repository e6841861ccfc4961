/**
 * A link graph on a simulated machine, beside a model of what it must answer: a map from pages to
 * their links. After every flush the model is what must be found; after a crash, what was flushed last.
 */
import assert from "node:assert/strict";
import { SimulatedMachine } from "../../../test/support/lab/simulated-machine.ts";
import { MortalClock } from "../../../test/support/lab/simulated-world.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { SimBackground } from "../../lab/simulator/index.ts";
import {
  type GraphLink,
  type LinkBlock,
  type LinkCounts,
  type LinkedPage,
  type LinkGraph,
  LinkLines,
  type LinksIn,
  LinkView,
  LinkWalk,
  openLinkGraph,
} from "./index.ts";

type Model = ReadonlyMap<string, readonly GraphLink[]>;

/** Few high halves, so that different targets share one; the fragment does not count. */
export function toyKey(url: string): Fingerprint | null {
  const [text = ""] = url.split("#");
  if (!text.startsWith("http:")) return null;
  let low = 7;
  for (const letter of text) low = (Math.imul(low, 31) + letter.charCodeAt(0)) >>> 0;
  return { high: low % 5, low };
}

export class LinkRig {
  readonly machine: SimulatedMachine;
  readonly reports: CrawlError[] = [];
  readonly #batchBytes: number;
  #clock: MortalClock;
  #graph: LinkGraph | null = null;
  #added = new Map<string, readonly GraphLink[]>();
  #flushed: Model = new Map();

  constructor(seed: number | string, batchBytes: number) {
    this.machine = new SimulatedMachine(seed);
    this.#clock = new MortalClock(this.machine.time);
    this.#batchBytes = batchBytes;
  }

  get graph(): LinkGraph {
    assert(this.#graph !== null, "the graph is open");
    return this.#graph;
  }

  /** Pages whose links were flushed. */
  get flushed(): Model {
    return this.#flushed;
  }

  open(): void {
    const { storage, disk, random, time } = this.machine;
    this.#clock = new MortalClock(time);
    const background = new SimBackground({ clock: this.#clock, random, disk });
    const report = (error: CrawlError): void => void this.reports.push(error);
    const place = { storage, background, random, folder: "links", report };
    const batchBytes = this.#batchBytes;
    this.#graph = this.machine.result<LinkGraph>((done) =>
      openLinkGraph({ ...place, batchBytes }, done),
    );
  }

  add(url: string, links: readonly GraphLink[]): void {
    const lines = new LinkLines();
    for (const { url: href, kind, rel, text: anchor } of links) {
      lines.add({ href, kind, rel, anchor, high: keyOf(href).high });
    }
    this.graph.add({ url, ...keyOf(url) }, lines);
    this.#added.delete(url);
    this.#added.set(url, links);
  }

  flush(): void {
    const added = new Map(this.#added);
    this.machine.result((done) => this.graph.flush(done));
    this.#flushed = added;
  }

  close(): void {
    this.machine.result((done) => this.graph.close(done));
    this.#graph = null;
    this.#added = new Map(this.#flushed);
  }

  /** Power fails. What was flushed is there; what was not may be. */
  crash(): void {
    this.#clock.die();
    this.machine.crash();
    this.#graph = null;
    this.#added = new Map(this.#flushed);
  }

  get view(): LinkView {
    return new LinkView({
      storage: this.machine.storage,
      folder: "links",
      fingerprintOf: toyKey,
    });
  }

  counts(): LinkCounts {
    return this.machine.result((done) => this.view.counts(done));
  }

  /** What the log has; one page may be in it several times. */
  walked(): LinkCounts {
    const { machine } = this;
    const { storage } = machine;
    const walk = machine.result<LinkWalk | null>((done) => LinkWalk.open(storage, "links", done));
    assert(walk !== null, "there is a graph");
    const pages: LinkedPage[] = [];
    for (;;) {
      const blocks = machine.result<readonly LinkBlock[] | null>((done) => walk.next(done));
      if (blocks === null) break;
      pages.push(...blocks.flatMap((block) => block.pages ?? assert.fail("it can be read")));
    }
    machine.result((done) => walk.close(done));
    const links = pages.reduce((total, page) => total + page.links.length, 0);
    return { pages: pages.length, links };
  }

  linksOf(url: string): readonly GraphLink[] | null {
    const page = this.machine.result<LinkedPage | null>((done) => this.view.linksOf(url, done));
    return page?.links ?? null;
  }

  linksTo(url: string): GraphLink[] {
    const links: GraphLink[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after;
      const some = this.machine.result<LinksIn>((done) => this.view.linksTo(url, from, done));
      links.push(...some.links);
      after = some.next;
    }
    return links;
  }

  /** Compares every answer with the model. */
  checkAll(urls: readonly string[]): void {
    for (const url of urls) {
      assert.deepEqual(this.linksOf(url), this.#flushed.get(url) ?? null, `links of ${url}`);
      assert.deepEqual(
        this.linksTo(url).map(printed).sort(),
        linksIn(this.#flushed, url).map(printed).sort(),
        `links to ${url}`,
      );
    }
  }
}

function keyOf(url: string): Fingerprint {
  const key = toyKey(url);
  assert(key !== null, "a toy URL");
  return key;
}

function linksIn(model: Model, target: string): GraphLink[] {
  const wanted = keyOf(target);
  return [...model].flatMap(([url, links]) =>
    links.filter((link) => keyOf(link.url).low === wanted.low).map((link) => ({ ...link, url })),
  );
}

function printed({ url, kind, rel, text }: GraphLink): string {
  return `${url} ${kind} ${rel} ${text}`;
}
