/**
 * The second generator of page families, written without sight of the first. A page is a tree of
 * nodes that have roles; a grammar grows the tree; an edit is an operation on the nodes of a role.
 * Main content hangs below the node with the role "main", everything else is the site's.
 */
import type { Random } from "../../../../src/base/seams/index.ts";
import { draw, type FamilyPage } from "./family-page.ts";
import {
  fill,
  LANGUAGES,
  type Language,
  label,
  otherWord,
  pick,
  sentence,
  sentences,
} from "./page-families-second-text.ts";
import {
  find,
  leaf,
  many,
  type Node,
  node,
  onRole,
  otherDigits,
  print,
  shuffle,
} from "./page-families-second-tree.ts";

const SECOND_KIND_WEIGHTS = {
  report: 30,
  entry: 20,
  recipe: 12,
  question: 14,
  event: 12,
  bulletin: 12,
} as const;

/** Operations that leave the main content alone, in hundredths. */
const SECOND_NEAR_WEIGHTS = {
  clock: 16,
  promo: 18,
  related: 16,
  shuffle: 10,
  chrome: 12,
  greeting: 8,
  remark: 6,
  respelling: 10,
  skin: 4,
} as const;

/** In hundredths of families: none, one, two, five variants. */
const SECOND_VARIANT_WEIGHTS = { "0": 40, "1": 30, "2": 20, "5": 10 } as const;
const SECOND_EXACT_PERCENT = 20;
/** In hundredths of families: one more family made of its sentence patterns, or of half its parts. */
const SECOND_REFILLED_PERCENT = 10;
const SECOND_SEQUEL_PERCENT = 8;

type Edit = keyof typeof SECOND_NEAR_WEIGHTS;

interface Site {
  readonly number: number;
  readonly language: Language;
  readonly name: string;
  readonly top: readonly Node[];
  readonly bottom: readonly Node[];
  readonly sideFirst: boolean;
  readonly titleIsName: boolean;
  /** Whether sections, headers and footers are just `div` here. */
  readonly isPlain: boolean;
  /** Whether the first heading of a page is just a bold line here. */
  readonly isBold: boolean;
}

interface Main {
  readonly kind: string;
  readonly title: string;
  readonly node: Node;
}

export function makeSecondFamilies(pageCount: number, random: Random): FamilyPage[] {
  const grower = new Grower(random);
  while (grower.pages.length < pageCount) grower.growSite();
  return grower.pages;
}

class Grower {
  readonly pages: FamilyPage[] = [];
  readonly #random: Random;
  readonly #sites: Site[] = [];
  #families = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  growSite(): void {
    const random = this.#random;
    const site = makeSite(random, this.#sites.length);
    this.#sites.push(site);
    for (let left = 10 + random.below(40); left > 0; left--) {
      const patterns: string[] = [];
      const main = makeMain(random, site.language, patterns);
      this.#growFamily(site, main, "");
      if (random.below(100) < SECOND_REFILLED_PERCENT) {
        this.#growFamily(site, refilled(random, site.language, main, patterns), "refilled");
      }
      if (random.below(100) < SECOND_SEQUEL_PERCENT && main.node.children.length >= 4) {
        this.#growFamily(site, sequel(random, site.language, main), "sequel");
      }
    }
  }

  #growFamily(site: Site, main: Main, kinship: string): void {
    const random = this.#random;
    const family = this.#families++;
    const editions: string[] = [];
    const first = makePage(random, site, main);
    const add = (tree: Node, edit: string): void => {
      const said = JSON.stringify(tree).replace(/\d+/g, "");
      const known = editions.indexOf(said);
      const edition = known >= 0 ? known : editions.push(said) - 1;
      const html = print(dressed(site, tree), random);
      this.pages.push({
        family,
        edition,
        edit,
        kinship,
        site: site.number,
        kind: main.kind,
        html,
      });
    };
    add(first, "original");
    for (let left = Number(draw(random.unit(), SECOND_VARIANT_WEIGHTS)); left > 0; left--) {
      if (random.below(100) < SECOND_EXACT_PERCENT) add(otherDigits(first, random), "exact");
      else {
        const edits = new Set<Edit>([draw(random.unit(), SECOND_NEAR_WEIGHTS)]);
        if (random.below(3) === 0) edits.add(draw(random.unit(), SECOND_NEAR_WEIGHTS));
        const tree = [...edits].reduce((page, edit) => this.#operate(page, edit, site), first);
        add(tree, [...edits].sort().join("+"));
      }
    }
  }

  #operate(page: Node, edit: Edit, site: Site): Node {
    const random = this.#random;
    const { language } = site;
    switch (edit) {
      case "clock":
        return onRole(page, "meta", () => makeMeta(random, language));
      case "promo":
        return onRole(page, "promo", (node) => ({
          ...node,
          children: random.below(4) === 0 ? [] : [makePromo(random, language)],
        }));
      case "related":
        return onRole(page, "related", () => makeLinks(random, language, "related"));
      case "shuffle":
        return onRole(onRole(page, "side", shuffle(random)), "bottom", shuffle(random));
      case "chrome":
        return onRole(page, "top", (node) => ({
          ...node,
          children: [
            ...node.children.slice(random.below(2)),
            leaf("div", pick(random, language.prompts)),
          ],
        }));
      case "greeting":
        return onRole(page, "user", () =>
          leaf("div", `${pick(random, language.slots.W)} (${random.below(20)})`, "user"),
        );
      case "remark":
        return onRole(page, "remarks", (node) => ({
          ...node,
          children: [...node.children, leaf("div", sentence(random, language))],
        }));
      case "respelling":
        return onRole(page, "main", (node) => respelled(random, language, node));
      case "skin":
        return this.#inOtherSkin(page, site);
    }
  }

  /** The same main content in the frame of another site of the same language. */
  #inOtherSkin(page: Node, site: Site): Node {
    const others = this.#sites.filter((other) => other.language === site.language);
    const other = pick(this.#random, others);
    const main = find(page, "main");
    const title = find(page, "title").text;
    return makePage(this.#random, other, { kind: "", title, node: main });
  }
}

function makeSite(random: Random, number: number): Site {
  const language = pick(random, LANGUAGES);
  const menu = node(
    "ul",
    "",
    many(4 + random.below(14), () => makeLink(random, language)),
  );
  const prompts = many(1 + random.below(4), () => leaf("div", pick(random, language.prompts)));
  const legal = leaf("p", sentences(random, language, 1 + random.below(6)));
  const imprint = leaf("address", label(random, language));
  const consent = leaf("div", sentences(random, language, 1 + random.below(3)));
  return {
    number,
    language,
    name: label(random, language),
    top: [menu, ...prompts, ...(random.below(2) === 0 ? [consent] : [])],
    bottom: [legal, imprint, ...(random.below(2) === 0 ? prompts : [])],
    sideFirst: random.below(2) === 0,
    titleIsName: random.below(10) === 0,
    isPlain: random.below(2) === 0,
    isBold: random.below(4) === 0,
  };
}

function makePage(random: Random, site: Site, main: Main): Node {
  const { language } = site;
  const side = node("section", "side", [
    makeLinks(random, language, "related"),
    node("div", "promo", random.below(2) === 0 ? [makePromo(random, language)] : []),
    makeLinks(random, language, "tags"),
  ]);
  const remarks = node(
    "section",
    "remarks",
    many(random.below(3), () => leaf("div", sentence(random, language))),
  );
  const middle = [makeMeta(random, language), main.node, remarks];
  const title = site.titleIsName ? site.name : `${main.title} | ${site.name}`;
  return node("html", "page", [
    leaf("title", title, "title"),
    node("header", "top", site.top),
    leaf("div", "", "user"),
    ...(site.sideFirst ? [side, ...middle] : [...middle, side]),
    node("footer", "bottom", site.bottom),
  ]);
}

function makeMeta(random: Random, language: Language): Node {
  const { T, W } = language.slots;
  return leaf("div", `${pick(random, W)} - ${pick(random, T)} (${random.below(60)})`, "meta");
}

function makePromo(random: Random, language: Language): Node {
  return leaf("div", sentences(random, language, 1 + random.below(2)));
}

function makeLinks(random: Random, language: Language, role: string): Node {
  return node(
    "ul",
    role,
    many(3 + random.below(6), () => makeLink(random, language)),
  );
}

function makeLink(random: Random, language: Language): Node {
  return node("li", "", [leaf("a", label(random, language))]);
}

/** The content of a page; the patterns that its sentences were made by are added to `patterns`. */
function makeMain(random: Random, language: Language, patterns: string[]): Main {
  const kind = draw(random.unit(), SECOND_KIND_WEIGHTS);
  const prose = (count: number): string => {
    const used = many(count, () => leaf("", pick(random, language.patterns)));
    patterns.push(...used.map(({ text }) => text));
    return used.map(({ text }) => fill(random, language, text)).join(language.gap);
  };
  const title = label(random, language);
  const body = makeBody(kind, random, language, prose);
  return { kind, title, node: node("article", "main", [leaf("h1", title), ...body]) };
}

function makeBody(
  kind: keyof typeof SECOND_KIND_WEIGHTS,
  random: Random,
  language: Language,
  prose: (count: number) => string,
): Node[] {
  const paragraphs = (least: number, range: number): Node[] =>
    many(least + random.below(range), () => leaf("p", prose(1 + random.below(7))));
  switch (kind) {
    case "report":
      return paragraphs(4, 12);
    case "entry":
      return many(2 + random.below(5), () =>
        node("section", "", [leaf("h2", label(random, language)), ...paragraphs(1, 5)]),
      );
    case "recipe":
      return [
        node(
          "ul",
          "",
          many(5 + random.below(10), () => leaf("li", label(random, language))),
        ),
        node(
          "ol",
          "",
          many(4 + random.below(6), () => leaf("li", prose(1 + random.below(2)))),
        ),
      ];
    case "question":
      return [leaf("p", prose(2 + random.below(4))), ...paragraphs(1, 6)];
    case "event":
      return [
        node(
          "dl",
          "",
          many(3 + random.below(5), () => leaf("dd", label(random, language))),
        ),
        leaf("p", prose(2 + random.below(5))),
      ];
    case "bulletin":
      return [leaf("p", prose(2 + random.below(4)))];
  }
}

/** The same sentence patterns with other words in their slots: a page made by a program. */
function refilled(
  random: Random,
  language: Language,
  main: Main,
  patterns: readonly string[],
): Main {
  const title = label(random, language);
  const queue = patterns.slice(0, 30);
  const paragraphs: Node[] = [];
  while (queue.length > 0) {
    const text = queue.splice(0, 4).map((pattern) => fill(random, language, pattern));
    paragraphs.push(leaf("p", text.join(language.gap)));
  }
  return {
    kind: main.kind,
    title,
    node: node("article", "main", [leaf("h1", title), ...paragraphs]),
  };
}

/** Every other part is new: the next instalment. */
function sequel(random: Random, language: Language, main: Main): Main {
  const children = main.node.children.map((child, index) =>
    index % 2 === 1 ? leaf("p", sentences(random, language, 2 + random.below(4))) : child,
  );
  return { ...main, node: { ...main.node, children } };
}

/** One word of every 120 or so is written otherwise, at least one. */
function respelled(random: Random, language: Language, main: Node): Node {
  const lengthOf = (tree: Node): number =>
    tree.children.reduce((sum, child) => sum + lengthOf(child), tree.text.length);
  let left = Math.max(1, Math.round(lengthOf(main) / (language.gap === "" ? 250 : 720)));
  const perNode = 0.3;
  const visit = (tree: Node): Node => {
    const isChosen = left > 0 && tree.text.length > 40 && random.unit() < perNode;
    const text = isChosen ? respelledText(random, language, tree.text) : tree.text;
    if (text !== tree.text) left--;
    return { ...tree, text, children: tree.children.map(visit) };
  };
  let result = visit(main);
  for (let tries = 0; left > 0 && tries < 50; tries++) result = visit(result);
  return result;
}

function respelledText(random: Random, language: Language, text: string): string {
  const known = Object.values(language.slots).flat();
  const present = known.filter((word) => word.length > 1 && text.includes(word));
  if (present.length === 0) return text;
  const word = pick(random, present);
  return text.replace(word, otherWord(random, language, word));
}

/** With the elements that the site has for sections and headings. */
function dressed(site: Site, tree: Node): Node {
  const isSection = /^(?:section|article|header|footer|address)$/.test(tree.tag);
  const isPlain = (site.isPlain && isSection) || (site.isBold && tree.tag === "h1");
  const tag = isPlain ? "div" : tree.tag;
  return { ...tree, tag, children: tree.children.map((child) => dressed(site, child)) };
}
