/**
 * The known elements by small numbers (`TAG`), and what the standard says of each (`TRAITS`),
 * grouped by the sentence of the standard that names the group. Every other element has id 0.
 */
import { TAG_NAMES, type TagName } from "./tag-numbers.ts";
import { NameTable, type Word } from "./tokens/name-table.ts";

const HEADINGS = "h1 h2 h3 h4 h5 h6";
const VOID =
  "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr";
const FORMATTING = "a b big code em font i nobr s small strike strong tt u";
const BLOCK =
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header hgroup li dd dt listing main menu nav ol p plaintext pre search section summary table ul xmp";
const TABLE_PARTS = "caption colgroup tbody td tfoot th thead tr";
const RAW_TEXT =
  "iframe noembed noframes script style textarea title"; /** Elements of which the standard says nothing in particular. */
const ORDINARY =
  "abbr acronym bdi bdo blink canvas cite data datalist del dfn ins isindex kbd label legend map mark menuitem meter output picture progress q samp slot spacer time";

/** Elements of SVG and MathML that matter; they have no tag number. */
const FOREIGN = "annotation-xml desc foreignobject malignmark mglyph mi mn mo ms mtext";

type ElementName = TagName | Word<typeof FOREIGN>;

const NAMES = [...TAG_NAMES, ...FOREIGN.split(" ")] as readonly ElementName[];

/** Ids of known elements: the tag number, or for foreign elements a number after those. */
export const TAG: Readonly<Record<ElementName, number>> = Object.fromEntries(
  NAMES.map((name, index) => [name, index + 1]),
) as Record<ElementName, number>;

export const ELEMENT_NAMES: NameTable = new NameTable(NAMES);
export const ELEMENT_IDS: number = NAMES.length + 1;

/** Has no content and no end tag. */
export const VOID_TRAIT = 1;
/** Stands apart from the text around it, so words do not run together across it. */
export const BLOCK_TRAIT = 2;
/** Its start tag closes an open `p`. */
export const CLOSES_P_TRAIT = 4;
/** Its start tag inside SVG or MathML ends the foreign content. */
export const BREAKOUT_TRAIT = 8;
/** "Special" in the standard's sense: an unknown end tag does not reach past it. */
export const SPECIAL_TRAIT = 16;
export const FORMATTING_TRAIT = 32;
/** After it a `frameset` is no longer accepted. */
export const FRAMESET_NOT_OK_TRAIT = 64;
/** Content that a template accepts before it has decided what kind of content it holds. */
export const HEAD_TRAIT = 128;
/** Parts of a table: ignored outside one. */
export const TABLE_PART_TRAIT = 256;
/** Its end tag closes it only when it is in scope, and everything inside it with it. */
export const SCOPED_END_TRAIT = 512;
/** Its open element hides outer elements from end tags. */
export const SCOPE_TRAIT = 1024;
/** The same for the end tags of tables and their parts. */
export const TABLE_SCOPE_TRAIT = 2048;
/** Its start tag opens formatting elements again that were closed with a block around them. */
export const REOPENS_TRAIT = 4096;
/** Occurs once, outside everything else; ignored elsewhere. */
export const OUTERMOST_TRAIT = 8192;
/** Formatting elements inside it end with it. */
export const MARKER_TRAIT = 16384;

/** The traits of each element, by id. */
export const TRAITS: Uint16Array = traits([
  [VOID_TRAIT, VOID],
  [BLOCK_TRAIT, `${BLOCK} ${HEADINGS} ${TABLE_PARTS} body br frameset hr html optgroup option`],
  [BLOCK_TRAIT, "applet area iframe legend marquee noscript object select textarea title video"],
  [CLOSES_P_TRAIT, `${BLOCK} ${HEADINGS} hr`],
  [
    BREAKOUT_TRAIT,
    `${HEADINGS} b big blockquote body br center code dd div dl dt em embed head hr`,
  ],
  [BREAKOUT_TRAIT, "i img li listing menu meta nobr ol p pre ruby s small span strong strike sub"],
  [BREAKOUT_TRAIT, "sup table tt u ul var"],
  [SPECIAL_TRAIT, `${VOID} ${BLOCK} ${HEADINGS} ${TABLE_PARTS} ${RAW_TEXT} applet body button`],
  [SPECIAL_TRAIT, "frameset head html marquee noscript object select template"],
  [FORMATTING_TRAIT, FORMATTING],
  [FRAMESET_NOT_OK_TRAIT, "applet area body br button dd dt embed hr iframe image img keygen li"],
  [FRAMESET_NOT_OK_TRAIT, "listing marquee object pre select table textarea wbr xmp"],
  [HEAD_TRAIT, "base basefont bgsound link meta noframes script style template title"],
  [TABLE_PART_TRAIT, `${TABLE_PARTS} col`],
  [SCOPED_END_TRAIT, `${BLOCK} ${HEADINGS} ${TABLE_PARTS} applet button marquee object select`],
  [SCOPE_TRAIT, "applet caption html marquee object select table td template th"],
  [TABLE_SCOPE_TRAIT, "html table template"],
  [REOPENS_TRAIT, `${FORMATTING} applet area audio br button embed image img input keygen`],
  [
    REOPENS_TRAIT,
    "marquee noscript object optgroup option ruby select span sub sup var video wbr xmp",
  ],
  [REOPENS_TRAIT, ORDINARY],
  [MARKER_TRAIT, "applet caption marquee object td template th"],
  [OUTERMOST_TRAIT, "body frame frameset head html"],
]);

function traits(groups: readonly (readonly [trait: number, names: string])[]): Uint16Array {
  const table = new Uint16Array(ELEMENT_IDS);
  for (const [trait, names] of groups) {
    for (const name of names.split(" ")) {
      const id = TAG[name as ElementName];
      table[id] = (table[id] as number) | trait;
    }
  }
  return table;
}
