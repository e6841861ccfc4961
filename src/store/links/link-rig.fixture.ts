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
  CheckedGraph,
  type GraphLink,
  type LinkCounts,
  type LinkedPage,
  type LinkGraph,
  LinkLines,
  type LinksIn,
  LinkView,
  openLinkGraph,
  type WrittenPage,
} from "./index.ts";
import { pagesIn } from "./link-text.ts";
import { type LinkBlock, LinkWalk } from "./walk-links.ts";

type Model = ReadonlyMap<string, readonly GraphLink[]>;

/** Few high halves, so that different targets share one; the fragment does not count. */
export function toyKey(url: string): Fingerprint | null {
  const [text = ""] = url.split("#");
  if (!text.startsWith("http:")) return null;
  let low = 7;
  for (const letter of text) low = (Math.imul(low, 31) + letter.charCodeAt(0)) >>> 0;
  return { high: low % 5, low };
}

interface CheckedLinks {
  readonly problems: readonly string[];
  readonly pages: ReadonlyMap<string, WrittenPage>;
  readonly blocks: ReadonlyMap<string, number | null | undefined>;
}

/** More than the longest chain of promises between two events. */
const PROMISE_TURNS = 40;

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
      for (const { text } of blocks) pages.push(...pagesIn(text ?? assert.fail("it can be read")));
    }
    machine.result((done) => walk.close(done));
    const links = pages.reduce((total, page) => total + page.links.length, 0);
    return { pages: pages.length, links };
  }

  /** What a check of the whole graph finds wrong, and which block it finds for each page that is there. */
  async check(): Promise<CheckedLinks> {
    const problems: string[] = [];
    const pages = new Map<string, WrittenPage>();
    const graph = await this.#driven(
      CheckedGraph.open({
        ...{ storage: this.machine.storage, folder: "links", fingerprintOf: toyKey },
        page: (page) => pages.set(page.url, page),
        tell: (file, _at, problem) => problems.push(`${file}: ${problem}`),
      }),
    );
    await this.#driven(graph.read());
    const blocks = new Map<string, number | null | undefined>();
    const urls = [...pages.keys()].sort((one, other) => order(keyOf(one), keyOf(other)));
    for (const url of urls) blocks.set(url, await this.#driven(graph.blockOf(keyOf(url))));
    await this.#driven(graph.close());
    return { problems, pages, blocks };
  }

  async #driven<Value>(promise: Promise<Value>): Promise<Value> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    promise.then(over, over);
    while (!isOver) {
      this.machine.time.step();
      for (let turn = 0; turn < PROMISE_TURNS; turn += 1) await null;
    }
    return await promise;
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

function order(one: Fingerprint, other: Fingerprint): number {
  return one.high - other.high || one.low - other.low;
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
