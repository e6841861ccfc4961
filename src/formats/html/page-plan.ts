/**
 * What has to be done at each element, worked out once for all pages that are read with the same
 * options: tables by element id, so that a tag of no interest costs one look-up.
 */
import { LINK_KINDS } from "../link/index.ts";
import { BLOCK_TRAIT, ELEMENT_IDS, TAG, TRAITS } from "./elements.ts";
import { type ExtractOptions, type ExtractSettings, extractSettings } from "./extract-options.ts";
import { KIND_OF_ELEMENT, NO_KIND } from "./links/link-rules.ts";
import { changesTree } from "./tokens/content-kinds.ts";
import { INERT_END, INERT_LINE, INERT_START } from "./tokens/token-sink.ts";

/** Elements whose attributes are always read, whatever links are asked for. */
const ALWAYS_WANTED = [
  TAG.base,
  TAG.meta,
  TAG.link,
  TAG.html,
  TAG.template,
  TAG.input,
  TAG.font,
  TAG.frame,
  TAG.iframe,
  TAG["annotation-xml"],
];
/** Elements whose attributes are read if facts are asked for. */
const FACT_ELEMENTS = [TAG.time, TAG.script];
const HEAD_ELEMENTS = [TAG.base, TAG.meta, TAG.link, TAG.html];

/** What is to be done at a tag, one bit each: links, facts of the head, a new line of text. */
export const LINK_WORK = 1;
export const HEAD_WORK = 2;
export const LINE_WORK = 4;
/** The element changes how what follows is read. */
export const TREE_WORK = 8;

export interface PagePlan {
  readonly settings: ExtractSettings;
  /** Whether the attributes of an element are read. */
  readonly wanted: Uint8Array;
  readonly work: Uint8Array;
  /** Whether start and end tags are of no interest at all, where nothing special is open. */
  readonly inert: Uint8Array;
  /** The number of the kind of link that is asked for, else `NO_KIND`. */
  readonly kinds: Uint8Array;
}

export function pagePlan(options: ExtractOptions): PagePlan {
  const settings = extractSettings(options);
  const wantsLines = settings.textBytesMax > 0 || settings.linkText;
  const kinds = KIND_OF_ELEMENT.map((kind) => {
    const name = LINK_KINDS[kind];
    return name !== undefined && settings.kinds.has(name) ? kind : NO_KIND;
  });
  const wanted = new Uint8Array(ELEMENT_IDS);
  const work = new Uint8Array(ELEMENT_IDS);
  // Any element may have a style, unknown ones too.
  const styled = settings.kinds.has("style") ? LINK_WORK : 0;
  for (let id = 0; id < ELEMENT_IDS; id++) {
    work[id] = styled;
    if (styled !== 0) wanted[id] = 1;
    if (id === 0) continue;
    const mayHaveAction = id === TAG.button || id === TAG.input;
    const hasLink = kinds[id] !== NO_KIND || (mayHaveAction && settings.kinds.has("form"));
    const isBlock = ((TRAITS[id] as number) & BLOCK_TRAIT) !== 0;
    if (hasLink || ALWAYS_WANTED.includes(id)) wanted[id] = 1;
    if (settings.facts && FACT_ELEMENTS.includes(id)) wanted[id] = 1;
    if (hasLink || id === TAG.a) work[id] = LINK_WORK;
    if (HEAD_ELEMENTS.includes(id)) work[id] = (work[id] as number) | HEAD_WORK;
    if (settings.facts && id === TAG.time) work[id] = (work[id] as number) | HEAD_WORK;
    if (isBlock && wantsLines) work[id] = (work[id] as number) | LINE_WORK;
    if (changesTree(id)) work[id] = (work[id] as number) | TREE_WORK;
  }
  const inert = work.map((todo, id) => {
    const isTold = wanted[id] === 1 || (todo & ~LINE_WORK) !== 0;
    const endIsTold = (todo & TREE_WORK) !== 0 || (id === TAG.a && settings.linkText);
    const isLine = (todo & LINE_WORK) !== 0;
    return (isTold ? 0 : INERT_START) | (endIsTold ? 0 : INERT_END) | (isLine ? INERT_LINE : 0);
  });
  return { settings, wanted, work, inert, kinds };
}
