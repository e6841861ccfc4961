/** How the content of an element is read, where the element is HTML. */
import { ELEMENT_IDS, TAG } from "../elements.ts";
import { DATA, PLAINTEXT, RAWTEXT, RCDATA, SCRIPT_DATA } from "./token-sink.ts";

/** By element id: `DATA`, `RCDATA`, … */
export const CONTENT: Uint8Array = new Uint8Array(ELEMENT_IDS);
for (const id of [TAG.title, TAG.textarea]) CONTENT[id] = RCDATA;
for (const id of [TAG.style, TAG.xmp, TAG.iframe, TAG.noembed, TAG.noframes]) CONTENT[id] = RAWTEXT;
CONTENT[TAG.script] = SCRIPT_DATA;
CONTENT[TAG.plaintext] = PLAINTEXT;

const CHANGES_TREE: ReadonlySet<number> = new Set([
  TAG.svg,
  TAG.math,
  TAG.template,
  TAG.table,
  TAG.form,
]);

/** Whether an element changes how what follows is read, or must be tracked by the tree rules. */
export function changesTree(id: number): boolean {
  return CHANGES_TREE.has(id) || CONTENT[id] !== DATA;
}
