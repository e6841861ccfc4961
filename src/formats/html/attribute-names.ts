/** The attributes that the extractor reads, by small numbers; all others are skipped. */
import { NameTable, type Word } from "./tokens/name-table.ts";

const ATTRIBUTES =
  "action background color content data datetime encoding face formaction href hreflang http-equiv imagesrcset itemprop lang name poster property pubdate rel shadowrootmode size src srcset style type xlink:href xml:lang";

export type AttributeName = Word<typeof ATTRIBUTES>;

const NAMES = ATTRIBUTES.split(" ") as AttributeName[];

export const ATTRIBUTE: Readonly<Record<AttributeName, number>> = Object.fromEntries(
  NAMES.map((name, index) => [name, index + 1]),
) as Record<AttributeName, number>;

export const ATTRIBUTE_NAMES: NameTable = new NameTable(NAMES);
export const ATTRIBUTE_IDS: number = NAMES.length + 1;
