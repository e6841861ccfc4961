/**
 * The elements of HTML by number. The stripped page holds a tag as its number, in one byte, so a
 * number is never given to another name: new names are added at the end. All names that are not in
 * the list have the same number, so that made-up elements do not make pages different.
 */
import type { Word } from "./tokens/name-table.ts";

/** The number of an element; `UNKNOWN_TAG` for names that HTML does not know. */
export type TagNumber = number;

export const UNKNOWN_TAG: TagNumber = 0;

const LINES = [
  "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big",
  "blink blockquote body br button canvas caption center cite code col colgroup data datalist dd",
  "del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame",
  "frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd",
  "keygen label legend li link listing main map mark marquee math menu menuitem meta meter nav",
  "nobr noembed noframes noscript object ol optgroup option output p param picture plaintext pre",
  "progress q rb rp rt rtc ruby s samp script search section select slot small source spacer span",
  "strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time",
  "title tr track tt u ul var video wbr xmp",
] as const;

export type TagName = Word<(typeof LINES)[number]>;

/** The names in the order of their numbers; the first has number 1. */
export const TAG_NAMES: readonly TagName[] = LINES.flatMap((line) => line.split(" ") as TagName[]);

const NUMBERS: ReadonlyMap<string, TagNumber> = new Map(
  TAG_NAMES.map((name, index) => [name, index + 1]),
);

/** How many numbers there are, `UNKNOWN_TAG` included. */
export const TAG_NUMBERS: number = TAG_NAMES.length + 1;

/** By the name in lower case. For tables that are built once, not for every tag. */
export function tagNumber(name: string): TagNumber {
  return NUMBERS.get(name) ?? UNKNOWN_TAG;
}

/** A table of bits by tag number: each group of names, separated by spaces, sets its bit. */
export function tagTable(groups: readonly (readonly [bit: number, names: string])[]): Uint8Array {
  const table = new Uint8Array(TAG_NUMBERS);
  for (const [bit, names] of groups) {
    for (const name of names.split(" ")) {
      const tag = tagNumber(name);
      table[tag] = (table[tag] as number) | bit;
    }
  }
  return table;
}
