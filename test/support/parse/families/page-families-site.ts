/**
 * Sites and pages of the first generator: a site is a template with its own boilerplate, a page is
 * what fills it. `render` makes the HTML.
 */
import type { Random } from "../../../../src/base/seams/index.ts";
import { draw } from "./family-page.ts";
import type { Words } from "./page-families-words.ts";

export interface Site {
  readonly number: number;
  readonly topic: number;
  readonly name: string;
  readonly menu: readonly string[];
  readonly links: readonly string[];
  /** Two or three paragraphs that stand on every page: terms, cookies, about us. */
  readonly notices: readonly string[];
  /** What every product of a shop says about delivery. */
  readonly productNote: string;
  /** Some sites call every page by the site's name. */
  readonly hasTitles: boolean;
  /** Some sites mark what is what by `main`, `nav`, `aside`; the others have `div` for everything. */
  readonly isSemantic: boolean;
  /** Which elements hold the site's name and the page's headline. */
  readonly headings: readonly [site: string, page: string];
}

export type Kind = "article" | "product" | "listing" | "thread" | "notice";

/** A paragraph, a row of a table, an item of a list, a post. */
export interface Block {
  readonly element: "p" | "tr" | "li" | "post";
  readonly text: string;
}

export interface Content {
  readonly kind: Kind;
  readonly headline: string;
  readonly blocks: readonly Block[];
}

/** Everything that varies around the content. */
export interface Surroundings {
  readonly date: string;
  readonly counters: readonly [number, number];
  readonly ads: readonly string[];
  readonly teasers: readonly (readonly string[])[];
  readonly menu: readonly string[];
  readonly links: readonly string[];
  readonly notices: readonly string[];
  readonly asideFirst: boolean;
  readonly isPrint: boolean;
  /** Changes attributes, white space and scripts only. */
  readonly noise: number;
}

/** How often each kind of page is drawn, in hundredths. */
export const KIND_WEIGHTS: Readonly<Record<Kind, number>> = {
  article: 40,
  product: 20,
  listing: 12,
  thread: 13,
  notice: 15,
};

/** How many sites in a hundred have an `h1` for the page, for the site, or none at all. */
export const HEADING_WEIGHTS = { page: 70, site: 15, none: 15 } as const;

const HEADINGS: Readonly<Record<keyof typeof HEADING_WEIGHTS, Site["headings"]>> = {
  page: ["h2", "h1"],
  site: ["h1", "h2"],
  none: ["div", "h3"],
};

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

export function makeSite(number: number, words: Words, random: Random): Site {
  const topic = words.drawTopic(random);
  const phrases = (count: number, length: number): string[] =>
    Array.from({ length: count }, () => words.phrase(random, topic, 1 + random.below(length)));
  const notices = [words.prose(random, topic, 20 + random.below(70))];
  if (random.below(100) < 60) notices.push(words.prose(random, topic, 15 + random.below(25)));
  if (random.below(100) < 40) notices.push(words.prose(random, topic, 20 + random.below(40)));
  return {
    number,
    topic,
    name: words.phrase(random, topic, 2),
    menu: phrases(6 + random.below(19), 2),
    links: phrases(5 + random.below(8), 3),
    notices,
    productNote: random.below(2) === 0 ? words.prose(random, topic, 25 + random.below(35)) : "",
    hasTitles: random.below(100) < 80,
    isSemantic: random.below(2) === 0,
    headings: HEADINGS[draw(random.unit(), HEADING_WEIGHTS)],
  };
}

export function makeContent(site: Site, words: Words, random: Random): Content {
  const kind = draw(random.unit(), KIND_WEIGHTS);
  const headline = words.phrase(random, site.topic, 3 + random.below(6));
  return { kind, headline, blocks: makeBlocks(kind, site, words, random) };
}

function makeBlocks(kind: Kind, site: Site, words: Words, random: Random): Block[] {
  const prose = (least: number, range: number): string =>
    words.prose(random, site.topic, least + random.below(range));
  const blocks = (element: Block["element"], count: number, make: () => string): Block[] =>
    Array.from({ length: count }, () => ({ element, text: make() }));
  switch (kind) {
    case "article":
      return makeParagraphs(site, words, random);
    case "product":
      return [
        ...blocks("p", 1, () => prose(20, 70)),
        ...blocks("tr", 4 + random.below(9), () =>
          words.phrase(random, site.topic, 2 + random.below(3)),
        ),
        ...(site.productNote === "" ? [] : blocks("p", 1, () => site.productNote)),
      ];
    case "listing":
      return blocks("li", 10 + random.below(21), () => {
        const title = words.phrase(random, site.topic, 3 + random.below(4));
        return `<b>${title}</b> ${prose(8, 18)}`;
      });
    case "thread":
      return blocks("post", 3 + random.below(10), () => prose(10, 70));
    case "notice":
      return blocks("p", 1, () => prose(20, 40));
  }
}

/** Articles have a median of about 400 words, one in ten more than 1,000. */
function makeParagraphs(site: Site, words: Words, random: Random): Block[] {
  const normal = random.unit() + random.unit() + random.unit() + random.unit() - 2;
  let left = Math.min(2500, Math.max(120, Math.round(400 * Math.exp(1.25 * normal))));
  const blocks: Block[] = [];
  while (left > 0) {
    const length = Math.min(left, 25 + random.below(100));
    blocks.push({ element: "p", text: words.prose(random, site.topic, length) });
    left -= length;
  }
  return blocks;
}

export function makeSurroundings(site: Site, words: Words, random: Random): Surroundings {
  return {
    date: makeDate(random),
    counters: [random.below(100_000), random.below(500)],
    ads: makeAds(site, words, random),
    teasers: Array.from({ length: 2 + random.below(3) }, () => makeTeasers(site, words, random)),
    menu: site.menu,
    links: site.links,
    notices: site.notices,
    asideFirst: random.below(2) === 0,
    isPrint: false,
    noise: random.below(1_000_000),
  };
}

export function makeDate(random: Random): string {
  const day = DAYS[random.below(7)];
  return `${day}, ${1 + random.below(28)} ${MONTHS[random.below(12)]} ${2010 + random.below(16)}`;
}

/** None to two text advertisements of 4 to 25 words, on any topic. */
export function makeAds(_site: Site, words: Words, random: Random): string[] {
  return Array.from({ length: random.below(3) }, () =>
    words.phrase(random, words.drawTopic(random), 4 + random.below(22)),
  );
}

export function makeTeasers(site: Site, words: Words, random: Random): string[] {
  return Array.from({ length: 4 + random.below(4) }, () =>
    words.phrase(random, site.topic, 2 + random.below(6)),
  );
}

export function render(site: Site, content: Content, around: Surroundings): string {
  const html = renderSemantic(site, content, around);
  return site.isSemantic ? html : html.replace(/(<\/?)(?:main|nav|aside|header|footer)/g, "$1div");
}

function renderSemantic(site: Site, content: Content, around: Surroundings): string {
  const [siteTag] = site.headings;
  const pad = around.noise % 3 === 0 ? "\n    " : "\n";
  const session = `?s=${around.noise}`;
  const list = (items: readonly string[]): string =>
    items.map((item, index) => `${pad}<li><a href="/${index}${session}">${item}</a></li>`).join("");
  const title = site.hasTitles ? `${content.headline} - ${site.name}` : site.name;
  const main = renderMain(site, content, around, pad);
  const head = `<!DOCTYPE html>${pad}<html><head><title>${title}</title>${pad}<script>var t=${around.noise};</script></head>`;
  if (around.isPrint) return `${head}<body>${main}</body></html>\n`;
  const aside = `${pad}<aside>${around.teasers.map((items) => `<h3>More</h3><ul>${list(items)}${pad}</ul>`).join("")}</aside>`;
  const ads = around.ads.map((ad) => `${pad}<div class="ad${around.noise % 7}">${ad}</div>`);
  const notices = around.notices.map((text) => `${pad}<p>${text}</p>`).join("");
  return [
    head,
    `${pad}<body id="b${around.noise}"><header><${siteTag}>${site.name}</${siteTag}><nav><ul>${list(around.menu)}</ul></nav></header>`,
    around.asideFirst ? aside + main : main + (ads.pop() ?? "") + aside,
    ads.join(""),
    `${pad}<footer><ul>${list(around.links)}</ul>${notices}</footer></body></html>\n`,
  ].join("");
}

function renderMain(site: Site, content: Content, around: Surroundings, pad: string): string {
  const [, pageTag] = site.headings;
  const [views, comments] = around.counters;
  const byline = `${pad}<div class="by">${around.date} <span>${views} views, ${comments} comments</span></div>`;
  const blocks = content.blocks.map(({ element, text }) => {
    if (element === "tr") return `${pad}<tr><td>${text.replace(" ", "</td><td>")}</td></tr>`;
    if (element === "post") return `${pad}<div><i>Guest ${views}</i><p>${text}</p></div>`;
    return `${pad}<${element}>${text}</${element}>`;
  });
  return `${pad}<main><${pageTag}>${content.headline}</${pageTag}>${byline}${blocks.join("")}${pad}</main>`;
}
