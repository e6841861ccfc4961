/**
 * The first generator of page families: sites with templates, pages that fill them, and edits whose
 * effect is known. Its weights are published in docs/near-duplicates.md; the two must be changed
 * together.
 */
import type { Random } from "../../../../src/base/seams/index.ts";
import { draw, type FamilyPage } from "./family-page.ts";
import {
  type Block,
  type Content,
  makeAds,
  makeContent,
  makeDate,
  makeSite,
  makeSurroundings,
  makeTeasers,
  render,
  type Site,
  type Surroundings,
} from "./page-families-site.ts";
import { Words } from "./page-families-words.ts";

export interface PageFamiliesOptions {
  readonly sites: number;
  readonly familiesPerSite: number;
}

/** How often each edit is drawn that leaves the main content as it is, in hundredths. */
export const NEAR_WEIGHTS = {
  date: 16,
  ads: 18,
  teasers: 16,
  reordered: 12,
  boilerplate: 12,
  correction: 14,
  counters: 6,
  print: 6,
} as const;

type NearEdit = keyof typeof NEAR_WEIGHTS;

/** How many variants a family has beside its first page, in hundredths of families. */
export const VARIANT_WEIGHTS: Readonly<Record<"0" | "1" | "2" | "4", number>> = {
  "0": 50,
  "1": 25,
  "2": 15,
  "4": 10,
};

/** In hundredths: variants that are exact duplicates; near ones with a second edit. */
export const EXACT_PERCENT = 25;
export const SECOND_EDIT_PERCENT = 30;
/** In hundredths of families: another family is made of it whose content has grown by a tenth. */
export const GROWN_PERCENT = 8;

/** A page before it is HTML. */
interface Draft {
  readonly content: Content;
  readonly around: Surroundings;
}

export function makePageFamilies(options: PageFamiliesOptions, random: Random): FamilyPage[] {
  const words = new Words(random.fork("words"));
  const pages: FamilyPage[] = [];
  for (let number = 0; number < options.sites; number++) {
    const siteRandom = random.fork(`site ${number}`);
    const maker = new FamilyMaker(makeSite(number, words, siteRandom), words, siteRandom, pages);
    for (let count = 0; count < options.familiesPerSite; count++) maker.addFamily();
  }
  return pages;
}

class FamilyMaker {
  readonly #site: Site;
  readonly #words: Words;
  readonly #random: Random;
  readonly #pages: FamilyPage[];
  #family = 0;
  /** What the pages of the family say without digits and noise, for each edition. */
  #editions: string[] = [];

  constructor(site: Site, words: Words, random: Random, pages: FamilyPage[]) {
    this.#site = site;
    this.#words = words;
    this.#random = random;
    this.#pages = pages;
  }

  addFamily(): void {
    const content = makeContent(this.#site, this.#words, this.#random);
    this.#addPages(content, "");
    if (content.kind === "article" && this.#percent(GROWN_PERCENT)) {
      this.#addPages(this.#grown(content), "grown");
    }
  }

  #addPages(content: Content, kinship: string): void {
    this.#family = (this.#pages.at(-1)?.family ?? -1) + 1;
    this.#editions = [];
    const first: Draft = {
      content,
      around: makeSurroundings(this.#site, this.#words, this.#random),
    };
    this.#add(first, "original", kinship);
    const variants = Number(draw(this.#random.unit(), VARIANT_WEIGHTS));
    for (let count = 0; count < variants; count++) {
      if (this.#percent(EXACT_PERCENT)) this.#add(this.#exact(first), "exact", kinship);
      else this.#addNear(first, kinship);
    }
  }

  #addNear(first: Draft, kinship: string): void {
    const edits = new Set<NearEdit>([draw(this.#random.unit(), NEAR_WEIGHTS)]);
    if (this.#percent(SECOND_EDIT_PERCENT)) edits.add(draw(this.#random.unit(), NEAR_WEIGHTS));
    const draft = [...edits].reduce((page, edit) => this.#edited(page, edit), first);
    this.#add(draft, [...edits].sort().join("+"), kinship);
  }

  #add(draft: Draft, edit: string, kinship: string): void {
    const edition = this.#editionOf(draft);
    const html = render(this.#site, draft.content, draft.around);
    const { number: site } = this.#site;
    const { kind } = draft.content;
    this.#pages.push({ family: this.#family, edition, edit, kinship, site, kind, html });
  }

  #editionOf({ content, around }: Draft): number {
    const { date, isPrint } = around;
    const shown = isPrint ? { date, isPrint } : { ...around, counters: 0, noise: 0 };
    const text = JSON.stringify([content, shown]).replace(/\d+/g, "");
    const known = this.#editions.indexOf(text);
    return known >= 0 ? known : this.#editions.push(text) - 1;
  }

  /** Numbers, attributes, scripts and white space change. */
  #exact({ content, around }: Draft): Draft {
    const date = around.date.replace(/\d+/g, () => String(1 + this.#random.below(28)));
    const counters = [this.#random.below(100_000), this.#random.below(500)] as const;
    return { content, around: { ...around, date, counters, noise: this.#random.below(1_000_000) } };
  }

  #edited({ content, around }: Draft, edit: NearEdit): Draft {
    const random = this.#random;
    switch (edit) {
      case "date":
        return { content, around: { ...around, date: makeDate(random) } };
      case "counters":
        return this.#exact({ content, around });
      case "ads":
        return { content, around: { ...around, ads: makeAds(this.#site, this.#words, random) } };
      case "teasers": {
        const teasers = around.teasers.map(() => makeTeasers(this.#site, this.#words, random));
        return { content, around: { ...around, teasers } };
      }
      case "reordered":
        return this.#reordered({ content, around });
      case "boilerplate":
        return { content, around: this.#otherBoilerplate(around) };
      case "correction":
        return { content: this.#corrected(content), around };
      case "print":
        return { content, around: { ...around, isPrint: true } };
    }
  }

  /** Blocks around the content change places; the items of a listing do too. */
  #reordered({ content, around }: Draft): Draft {
    const shuffled = <Item>(items: readonly Item[]): Item[] =>
      items
        .map((item) => ({ item, at: this.#random.unit() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item);
    const blocks = content.kind === "listing" ? shuffled(content.blocks) : content.blocks;
    return {
      content: { ...content, blocks },
      around: {
        ...around,
        teasers: shuffled(around.teasers),
        menu: shuffled(around.menu),
        asideFirst: !around.asideFirst,
      },
    };
  }

  /** A menu entry comes, another goes; a footer link is renamed; one notice is worded anew. */
  #otherBoilerplate(around: Surroundings): Surroundings {
    const phrase = (): string => this.#words.phrase(this.#random, this.#site.topic, 2);
    const gone = this.#random.below(around.menu.length);
    const menu = [...around.menu.filter((_, index) => index !== gone), phrase()];
    const links = [phrase(), ...around.links.slice(1)];
    const notices = this.#percent(50)
      ? [
          ...around.notices.slice(0, -1),
          this.#words.prose(this.#random, this.#site.topic, 20 + this.#random.below(40)),
        ]
      : around.notices;
    return { ...around, menu, links, notices };
  }

  /** One word in about 150 is replaced, at least one, at most four. */
  #corrected(content: Content): Content {
    const wordCount = content.blocks.reduce((sum, { text }) => sum + text.split(" ").length, 0);
    const corrections = Math.min(4, Math.max(1, Math.round(wordCount / 150)));
    let blocks: readonly Block[] = content.blocks;
    for (let count = 0; count < corrections; ) {
      const chosen = this.#random.below(blocks.length);
      const block = blocks[chosen] as Block;
      const other = this.#withOtherWord(block);
      if (other.text === block.text) continue;
      blocks = blocks.with(chosen, other);
      count++;
    }
    return { ...content, blocks };
  }

  #withOtherWord(block: Block): Block {
    const parts = block.text.split(" ");
    const at = this.#random.below(parts.length);
    if (!/^[a-z]+$/.test(parts[at] ?? "")) return block;
    parts[at] = this.#words.word(this.#random, this.#site.topic);
    return { ...block, text: parts.join(" ") };
  }

  /** A tenth to a half more text, in the middle: another content by our definition. */
  #grown(content: Content): Content {
    const wordCount = content.blocks.reduce((sum, { text }) => sum + text.split(" ").length, 0);
    const more = Math.ceil(wordCount * (0.1 + 0.4 * this.#random.unit()));
    const text = this.#words.prose(this.#random, this.#site.topic, more);
    const blocks = [...content.blocks];
    blocks.splice(1 + this.#random.below(blocks.length), 0, { element: "p", text });
    return { ...content, blocks };
  }

  #percent(percent: number): boolean {
    return this.#random.below(100) < percent;
  }
}
