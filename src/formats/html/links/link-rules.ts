/** Which attribute of which element is a link, of which kind. */
import { LINK_KINDS, type LinkKind } from "../../link/index.ts";
import { ATTRIBUTE } from "../attribute-names.ts";
import { ELEMENT_IDS, TAG } from "../elements.ts";

export const NO_KIND = 255;

/** By element id: the place of its kind in `LINK_KINDS`, or `NO_KIND`. */
export const KIND_OF_ELEMENT: Uint8Array = new Uint8Array(ELEMENT_IDS).fill(NO_KIND);
/** By element id: the attribute that holds its URL. */
export const URL_ATTRIBUTE: Uint8Array = new Uint8Array(ELEMENT_IDS);

const RULES: readonly (readonly [element: number, attribute: number, kind: LinkKind])[] = [
  [TAG.a, ATTRIBUTE.href, "a"],
  [TAG.area, ATTRIBUTE.href, "area"],
  [TAG.audio, ATTRIBUTE.src, "audio"],
  [TAG.embed, ATTRIBUTE.src, "embed"],
  [TAG.form, ATTRIBUTE.action, "form"],
  [TAG.frame, ATTRIBUTE.src, "frame"],
  [TAG.iframe, ATTRIBUTE.src, "iframe"],
  [TAG.image, ATTRIBUTE.src, "img"],
  [TAG.img, ATTRIBUTE.src, "img"],
  [TAG.input, ATTRIBUTE.src, "input"],
  [TAG.link, ATTRIBUTE.href, "link"],
  [TAG.object, ATTRIBUTE.data, "object"],
  [TAG.script, ATTRIBUTE.src, "script"],
  [TAG.source, ATTRIBUTE.src, "source"],
  [TAG.track, ATTRIBUTE.src, "track"],
  [TAG.video, ATTRIBUTE.src, "video"],
];

for (const [element, attribute, kind] of RULES) {
  KIND_OF_ELEMENT[element] = kindNumber(kind);
  URL_ATTRIBUTE[element] = attribute;
}

export function kindNumber(kind: LinkKind): number {
  return LINK_KINDS.indexOf(kind);
}
