/** Virtual crawls from which pages are taken, and to which pages are brought. */

import type { Crawl } from "../../../src/agent/crawl/crawl.ts";
import { laneFinder } from "../../../src/agent/lanes/lane-finder.ts";
import { CarriedPages } from "../../../src/agent/member/lane/carried-pages.ts";
import {
  MemberPageStore,
  type MemberPageStoreParts,
} from "../../../src/agent/member/shipping/member-page-store.ts";
import { PagePrinter } from "../../../src/agent/member/shipping/page-printer.ts";
import type { Fingerprint } from "../../../src/base/fingerprints/index.ts";
import { answered, type Clock, type Storage } from "../../../src/base/seams/index.ts";
import type { UrlEntry } from "../../../src/cluster/delivery/index.ts";
import type { Place } from "../../../src/cluster/messages/index.ts";
import type { PagePiece, StoredPage } from "../../../src/cluster/pages/index.ts";
import { type FetchableUrl, keyOf, parseUrl } from "../../../src/formats/url/index.ts";
import type { Kernel, SimDisk } from "../../../src/lab/simulator/index.ts";
import { Parsing } from "../../../src/parse/page/index.ts";
import type { PageIndexWriter } from "../../../src/store/index/index.ts";
import type { VirtualCrawlOptions } from "./virtual-crawl.ts";
import { crawlVirtually, type VirtualCrawl } from "./virtual-crawl.ts";

/** A page on its way. */
export interface TakenPage {
  readonly entry: UrlEntry;
  readonly bytes: Uint8Array;
}

export interface RunningStore {
  readonly crawl: Crawl;
  readonly kernel: Kernel;
  readonly store: MemberPageStore;
}

const PIECE_BYTES = 700;
const KEY = new Uint8Array(16).fill(7);

export interface StoreParts {
  readonly storage: Storage;
  readonly id: string;
  /** The secret bytes of the crawl. */
  readonly key: Uint8Array;
  /** What others claim; nothing when left out. */
  readonly claims?: ((crawl: Crawl) => Claims) | undefined;
}

type Claims = Pick<MemberPageStoreParts, "isClaimed"> & {
  /** Calls back when all that custody has asked of the frontier is carried out. */
  readonly inTurn: (done: () => void) => void;
};

const NO_CLAIMS: Claims = { isClaimed: (_page, done) => done(false), inTurn: (done) => done() };

/** The store of a running crawl. */
export function storeOf(crawl: Crawl, { storage, id, key, claims }: StoreParts): MemberPageStore {
  const { configuration } = crawl;
  const { clock } = crawl.made;
  const finder = laneFinder({ configuration, fingerprintKey: key, lanes: 1 });
  const { parse, limits } = configuration;
  const self: Place = { id, generation: 1 };
  const { isClaimed, inTurn } = claims?.(crawl) ?? NO_CLAIMS;
  const index = crawl.parts.index?.numbers as PageIndexWriter;
  const fingerprintOf = (url: FetchableUrl): Fingerprint | null => finder.resolve(url);
  const parsing = new Parsing({
    ...{ settings: parse, linksMax: limits.linksPerPage, urlLengthMax: limits.urlLength },
    ...{ robotsToken: "", crawlKey: key, clock, language: null },
  });
  const lane = new CarriedPages({
    ...{ frontier: crawl.parts.frontier, inTurn, give: (...given) => crawl.give(...given) },
    printer: new PagePrinter({
      ...{ storage, parsing: async () => parsing, fingerprintOf },
      web: () => crawl.parts.web,
      links: () => crawl.parts.links,
      rowOf: (page, done) => index.find(page, done),
      keyOf: (url) => {
        const parsed = parseUrl(url);
        return parsed.kind === "refused" ? null : keyOf(parsed.url, configuration.url);
      },
    }),
  });
  return new MemberPageStore({
    ...{ clock, index, services: crawl.parts, self: () => self, laneOf: () => lane },
    ...{ hidden: { hiddenBy: (_page, done) => done(null, null) }, isClaimed, fingerprintOf },
  });
}

/** A crawl with a store; `run` is called in every process of it, when it has begun. */
export async function crawlWithStore(
  id: string,
  { claims, ...options }: VirtualCrawlOptions & Pick<StoreParts, "claims">,
  run: (running: RunningStore) => Promise<void>,
): Promise<VirtualCrawl & { readonly disk: SimDisk }> {
  let disk: SimDisk | null = null;
  const crawl = await crawlVirtually({
    ...options,
    stays: true,
    seed: id,
    beforeRun: (_run, mounted) => {
      disk = mounted;
    },
    prepared: (made, kernel) => {
      const storage = (disk as unknown as SimDisk).mount(made.made.clock);
      const store = storeOf(made, { storage, id, key: KEY, claims });
      const running = { crawl: made, kernel, store };
      void made.life.begun.then(() => run(running));
    },
  });
  return { ...crawl, disk: disk as unknown as SimDisk };
}

/** Until nothing is left to fetch. */
export async function exhausted({ crawl }: RunningStore): Promise<void> {
  const { clock } = crawl.made;
  while (crawl.open > 0 || !crawl.parts.frontier.isExhausted) await later(clock);
}

function later(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.after(20, resolve));
}

/** All pages, piece by piece, several at a time. */
export async function takeAll(
  { store }: RunningStore,
  withBody: boolean,
  isWanted: (host: string) => boolean = () => true,
): Promise<TakenPage[]> {
  const found: StoredPage[] = [];
  for (let after = -1; ; ) {
    const page = await answered<StoredPage | null>((done) => store.next(isWanted, after, done));
    if (page === null) break;
    found.push(page);
    after = page.position;
  }
  return await Promise.all(found.map((page) => takeOne(store, page, withBody)));
}

async function takeOne(
  store: MemberPageStore,
  page: StoredPage,
  withBody: boolean,
): Promise<TakenPage> {
  const pieces: Uint8Array[] = [];
  for (let from = 0; ; ) {
    const at = { from, bytesMax: PIECE_BYTES, withBody };
    const { bytes, total } = await answered<PagePiece>((done) => store.read(page, at, done));
    pieces.push(bytes.slice());
    from += bytes.length;
    if (from >= total) return { entry: page.entry, bytes: Buffer.concat(pieces) };
  }
}

/** Brings a page, as an intake does; whether it was there before. */
export async function bring(
  { store }: Pick<RunningStore, "store">,
  page: TakenPage,
): Promise<boolean> {
  const isHad = await new Promise<boolean>((resolve) => store.has(page.entry, resolve));
  if (isHad) return true;
  const writer = store.write(page.entry);
  for (let from = 0; from < page.bytes.length; from += PIECE_BYTES) {
    writer.append(page.bytes.subarray(from, from + PIECE_BYTES));
  }
  await answered((done) => writer.commit(done));
  return false;
}
