/**
 * Answers about a link graph, in any process, while the crawl runs and afterwards: what its last marks
 * name. The runs that they name may be merged and removed meanwhile, so what is missing is looked for
 * once more under newer marks.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type ViewedLog, viewLog } from "../../base/log/index.ts";
import { type Done, type FileName, type Storage, withValue } from "../../base/seams/index.ts";
import type { LinkCounts } from "./link-graph.ts";
import { blocksWith, findNumbers, NOT_FOUND } from "./link-lookup.ts";
import { type LinkMarks, linkLogName } from "./link-marks.ts";
import { type GraphLink, type LinkedPage, pagesIn } from "./link-text.ts";
import { damagedLinks, readMarks } from "./open-link-graph.ts";
import { readBlock } from "./read-block.ts";

export interface LinkViewOptions {
  readonly storage: Storage;
  readonly folder: FileName;
  /** What a URL is compared by; null for what is not a URL. */
  readonly fingerprintOf: (url: string) => Fingerprint | null;
}

/** Some of the links that lead to a page; `url` is the page that has the link. */
export interface LinksIn {
  readonly links: readonly GraphLink[];
  /** To ask for more, in the same way; null when there are no more. */
  readonly next: number | null;
}

/** How many blocks are read for one answer, of some tens of pages each. */
const BLOCKS_AT_ONCE = 64;
const TRIES_MAX = 4;

export class LinkView {
  readonly #options: LinkViewOptions;

  constructor(options: LinkViewOptions) {
    this.#options = options;
  }

  /** How many pages have had their links written, and how many links. */
  counts(done: Done<LinkCounts>): void {
    const { storage, folder } = this.#options;
    const take = ({ countOfPages, countOfLinks }: LinkMarks): void =>
      done(null, { pages: countOfPages, links: countOfLinks });
    readMarks(storage, folder, withValue(done, take));
  }

  /** The links of a page; null when the graph does not have it. */
  linksOf(url: string, done: Done<LinkedPage | null>): void {
    const { storage, fingerprintOf } = this.#options;
    const page = fingerprintOf(url);
    this.#ask((marks, answer) => {
      if (page === null) {
        answer(null, null);
        return;
      }
      const find = (blocks: readonly number[]): void => {
        const block = blocks[0] ?? NOT_FOUND;
        const take = (pages: readonly LinkedPage[]): void =>
          answer(null, pages.findLast((each) => this.#isSame(each.url, page)) ?? null);
        if (block === NOT_FOUND) answer(null, null);
        else this.#read([block], marks, withValue(answer, take));
      };
      findNumbers({ storage, marks, name: "pages" }, [page], withValue(answer, find));
    }, done);
  }

  /** Links that lead to a page, from any page; in the order in which those were written. */
  linksTo(url: string, after: number, done: Done<LinksIn>): void {
    const { storage, fingerprintOf } = this.#options;
    const target = fingerprintOf(url);
    this.#ask((marks, answer) => {
      if (target === null) {
        answer(null, { links: [], next: null });
        return;
      }
      const find = (blocks: readonly number[]): void => {
        const wanted = blocks.slice(0, BLOCKS_AT_ONCE);
        const last = wanted.at(-1);
        const next = last === undefined || blocks.length === wanted.length ? null : last + 1;
        const take = (links: readonly GraphLink[]): void => answer(null, { links, next });
        this.#gather(wanted, target, marks, withValue(answer, take));
      };
      blocksWith({ storage, marks }, target.high, after, withValue(answer, find));
    }, done);
  }

  /** The links in these blocks that lead to the target, from pages that still have them. */
  #gather(
    blocks: readonly number[],
    target: Fingerprint,
    marks: LinkMarks,
    done: Done<readonly GraphLink[]>,
  ): void {
    const { storage, fingerprintOf } = this.#options;
    const found: { page: LinkedPage; source: Fingerprint; block: number }[] = [];
    const goOn = (at: number): void => {
      const block = blocks[at];
      if (block === undefined) {
        finish();
        return;
      }
      const take = (pages: readonly LinkedPage[]): void => {
        // Of a page that was visited twice in one block the later links count.
        const latest = new Map(pages.map(({ url, links }) => [url, links]));
        for (const [url, links] of latest) {
          const leading = links.filter((link) => this.#isSame(link.url, target));
          const source = leading.length === 0 ? null : fingerprintOf(url);
          if (source !== null) found.push({ page: { url, links: leading }, source, block });
        }
        goOn(at + 1);
      };
      this.#read([block], marks, withValue(done, take));
    };
    // A page that was visited again later has its links in another block.
    const finish = (): void => {
      const sources = found.map(({ source }) => source);
      const take = (current: readonly number[]): void => {
        const kept = found.filter(({ block }, at) => current[at] === block);
        done(
          null,
          kept.flatMap(({ page }) => page.links.map((link) => ({ ...link, url: page.url }))),
        );
      };
      findNumbers({ storage, marks, name: "pages" }, sources, withValue(done, take));
    };
    goOn(0);
  }

  #isSame(url: string, { high, low }: Fingerprint): boolean {
    const fingerprint = this.#options.fingerprintOf(url);
    return fingerprint !== null && fingerprint.high === high && fingerprint.low === low;
  }

  #read(blocks: readonly number[], marks: LinkMarks, done: Done<readonly LinkedPage[]>): void {
    const { storage, folder } = this.#options;
    const keys = blocks.map((low) => ({ high: 0, low }));
    const find = ([place = NOT_FOUND]: readonly number[]): void => {
      if (place === NOT_FOUND) {
        done(damagedLinks(linkLogName(folder), `block ${blocks[0]} is missing`), undefined);
        return;
      }
      const read = (log: ViewedLog): void => {
        const take = (text: string): void => done(null, [...pagesIn(text)]);
        readBlock(log, { name: linkLogName(folder), place }, withValue(done, take));
      };
      viewLog(storage, linkLogName(folder), withValue(done, read));
    };
    findNumbers({ storage, marks, name: "places" }, keys, withValue(done, find));
  }

  /** Asks under the marks of now, and again if the runs that they name are gone. */
  #ask<Value>(question: (marks: LinkMarks, answer: Done<Value>) => void, done: Done<Value>): void {
    const { storage, folder } = this.#options;
    const ask = (tries: number): void => {
      const answered: Done<Value> = (...outcome) => {
        const [error] = outcome;
        if (isGone(error) && tries < TRIES_MAX) ask(tries + 1);
        else done(...outcome);
      };
      readMarks(
        storage,
        folder,
        withValue(done, (marks) => question(marks, answered)),
      );
    };
    ask(1);
  }
}

function isGone(error: CrawlError | null): boolean {
  return error?.code === "RUN_DAMAGED" && error.facts["reason"] === "it is missing";
}
