/**
 * HTML inside an integration point of foreign content (`<svg><foreignObject>…`): which elements are
 * open there, so that it is known when the foreign content goes on. This is the standard's "in
 * body" insertion mode reduced to its effect on the stack; formatting elements that are misnested
 * across blocks are not put back as the standard would, and tables are kept simpler.
 */
import {
  CLOSES_P_TRAIT,
  FORMATTING_TRAIT,
  IMPLIED_END_TRAIT,
  SCOPE_TRAIT,
  SCOPED_END_TRAIT,
  SPECIAL_TRAIT,
  TABLE_PART_TRAIT,
  TAG,
  TRAITS,
  VOID_TRAIT,
} from "./elements.ts";
import { FOREIGN_NODE, type ForeignStack, HTML_NODE } from "./foreign-stack.ts";
import type { StartTag } from "./token-sink.ts";

const NOT_FOUND = -1;
/** The walk left the foreign content, by its outermost element. */
const OUTSIDE = -2;

/** A start tag that is neither foreign nor raw text. */
export function openHtmlElement(stack: ForeignStack, tag: StartTag): void {
  const { id, hash } = tag;
  const traits = TRAITS[id] as number;
  if ((traits & TABLE_PART_TRAIT) !== 0) {
    if (find(stack, TAG.table, 0) < 0) return;
  } else closeBefore(stack, id, traits);
  if ((traits & VOID_TRAIT) === 0) stack.push({ id, hash, kind: HTML_NODE, isMath: false });
}

/** What a start tag closes before its element is opened. */
function closeBefore(stack: ForeignStack, id: number, traits: number): void {
  if (id === TAG.li) closeItem(stack, [TAG.li]);
  if (id === TAG.dd || id === TAG.dt) closeItem(stack, [TAG.dd, TAG.dt]);
  if ((traits & CLOSES_P_TRAIT) !== 0) close(stack, TAG.p, SCOPE_TRAIT, TAG.button);
  if (id === TAG.button || id === TAG.select) close(stack, id, SCOPE_TRAIT, 0);
  if (id === TAG.a || id === TAG.nobr) closeFormatting(stack, id);
  if (isHeading(id) && isHeading(stack.topId)) stack.popTo(stack.depth - 1);
  const isOption = id === TAG.option || id === TAG.optgroup;
  if (isOption && stack.topId === TAG.option) stack.popTo(stack.depth - 1);
}

function isHeading(id: number): boolean {
  return id >= TAG.h1 && id <= TAG.h6;
}

/** An open list item is closed by the next, unless another block began inside it. */
function closeItem(stack: ForeignStack, ids: readonly number[]): void {
  for (let index = stack.depth - 1; index >= 0; index--) {
    if (stack.kindAt(index) !== HTML_NODE) return;
    const id = stack.idAt(index);
    if (ids.includes(id)) {
      stack.popTo(index);
      return;
    }
    const isSpecial = ((TRAITS[id] as number) & SPECIAL_TRAIT) !== 0;
    if (isSpecial && id !== TAG.address && id !== TAG.div && id !== TAG.p) return;
  }
}

function close(stack: ForeignStack, id: number, barrier: number, barrierId: number): void {
  const index = find(stack, id, barrier, barrierId);
  if (index >= 0) stack.popTo(index);
}

/** The topmost open element of that id, not looking past a barrier or an integration point. */
function find(stack: ForeignStack, id: number, barrier: number, barrierId = 0): number {
  for (let index = stack.depth - 1; index >= 0; index--) {
    stack.steps++;
    const kind = stack.kindAt(index);
    if (kind === FOREIGN_NODE) continue;
    if (kind !== HTML_NODE) return NOT_FOUND;
    const other = stack.idAt(index);
    if (other === id) return index;
    if (((TRAITS[other] as number) & barrier) !== 0 || other === barrierId) return NOT_FOUND;
  }
  return OUTSIDE;
}

/** An end tag by the rules of HTML; false when it may concern an element outside. */
export function closeHtmlElement(stack: ForeignStack, id: number, hash: number): boolean {
  const traits = TRAITS[id] as number;
  if ((traits & FORMATTING_TRAIT) !== 0) return closeFormatting(stack, id);
  if ((traits & SCOPED_END_TRAIT) === 0) return closeAny(stack, hash);
  const barrier = (traits & TABLE_PART_TRAIT) !== 0 || id === TAG.table ? 0 : SCOPE_TRAIT;
  const index = find(stack, id, barrier, id === TAG.p ? TAG.button : 0);
  if (index === OUTSIDE) return false;
  if (index === NOT_FOUND) return true;
  if (id === TAG.form) stack.remove(index);
  else stack.popTo(index);
  return true;
}

/** "Any other end tag": the nearest element of that name, if no special one stands before it. */
function closeAny(stack: ForeignStack, hash: number): boolean {
  for (let index = stack.depth - 1; index >= 0; index--) {
    const kind = stack.kindAt(index);
    if (kind === FOREIGN_NODE) continue;
    if (kind !== HTML_NODE) return true;
    if (stack.isNamed(index, hash)) {
      stack.popTo(index);
      return true;
    }
    if (((TRAITS[stack.idAt(index)] as number) & SPECIAL_TRAIT) !== 0) return true;
  }
  return false;
}

/** The adoption agency: the element goes; blocks that were opened inside it stay. */
function closeFormatting(stack: ForeignStack, id: number): boolean {
  const index = find(stack, id, SCOPE_TRAIT);
  if (index < 0) return index === NOT_FOUND;
  let last = index;
  for (let above = index + 1; above < stack.depth; above++) {
    if (((TRAITS[stack.idAt(above)] as number) & SPECIAL_TRAIT) !== 0) last = above;
  }
  stack.popTo(last + 1);
  stack.remove(index);
  return true;
}
