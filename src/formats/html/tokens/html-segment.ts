/**
 * HTML inside an integration point of foreign content (`<svg><foreignObject>…`): which elements are
 * open there, so that it is known when the foreign content goes on. This is the standard's "in
 * body" and table insertion modes reduced to their effect on the stack of open elements, the list
 * of active formatting elements included.
 */
import {
  CLOSES_P_TRAIT,
  FORMATTING_TRAIT,
  MARKER_TRAIT,
  OUTERMOST_TRAIT,
  REOPENS_TRAIT,
  SCOPE_TRAIT,
  SCOPED_END_TRAIT,
  SPECIAL_TRAIT,
  TABLE_PART_TRAIT,
  TABLE_SCOPE_TRAIT,
  TAG,
  TRAITS,
  VOID_TRAIT,
} from "../elements.ts";
import { FOREIGN_NODE, type ForeignStack, HTML_NODE } from "./foreign-stack.ts";
import { hashName } from "./name-table.ts";
import type { StartTag } from "./token-sink.ts";

const NOT_FOUND = -1;
/** The search went past the outermost foreign element. */
const OUTSIDE = -2;

export const TABLE_HASH: number = hashName("table");
export const CELL_HASH: number = hashName("td");
export const HEADER_HASH: number = hashName("th");

/** No id: unknown elements have 0. */
const NO_ELEMENT = -1;
/** No trait: only one element stops the search. */
const NO_TRAIT = 0;

/** More formatting elements than this are not opened again. */
const CLOSED_MAX = 32;

/** A formatting element to be opened again, and the depth of the marker that it belongs to. */
interface ClosedElement {
  readonly id: number;
  readonly hash: number;
  readonly marker: number;
}

export class HtmlSegment {
  readonly #stack: ForeignStack;
  /** Formatting elements that were closed with a block around them: text opens them again. */
  #closed: ClosedElement[] = [];

  /** In quirks mode a table does not close a paragraph. */
  isQuirky = true;

  constructor(stack: ForeignStack) {
    this.#stack = stack;
  }

  clear(): void {
    this.#closed = [];
    this.isQuirky = true;
  }

  /** The foreign content has ended. */
  leave(): void {
    this.#closed = [];
  }

  /** Whether text would open formatting elements again. */
  get wantsText(): boolean {
    return this.#closed.length > 0;
  }

  /** A start tag that is neither foreign nor raw text; false if it closes the foreign content. */
  open(tag: StartTag): boolean {
    const { id, hash } = tag;
    const traits = TRAITS[id] as number;
    if ((traits & OUTERMOST_TRAIT) !== 0 || (id === TAG.form && this.#hasForm(hash))) return true;
    if ((traits & TABLE_PART_TRAIT) !== 0) {
      const table = this.#find(TAG.table, TABLE_SCOPE_TRAIT, NO_ELEMENT, false);
      if (table === OUTSIDE) return !this.#stack.outside.isOpen(TABLE_HASH);
      if (table === NOT_FOUND) return true;
    } else if (id === TAG.table && this.#closesTable()) return false;
    else this.#closeBefore(id, hash, traits);
    if (id === 0 || (traits & REOPENS_TRAIT) !== 0) this.reopen();
    if ((traits & VOID_TRAIT) === 0) this.#stack.push({ id, hash, kind: HTML_NODE, isMath: false });
    return true;
  }

  /** A form inside a form is ignored, unless a template is between them. */
  #hasForm(hash: number): boolean {
    const form = this.#find(TAG.form, NO_TRAIT, TAG.template, false);
    return form >= 0 || (form === OUTSIDE && this.#stack.outside.isOpen(hash));
  }

  /**
   * A table begins: one that is open, and in no cell, is closed. True when that is one outside; of
   * those it is only known whether there ever was a cell.
   */
  #closesTable(): boolean {
    const stack = this.#stack;
    for (let index = stack.depth - 1; index >= 0; index--) {
      stack.steps++;
      if (stack.kindAt(index) !== HTML_NODE) continue;
      const id = stack.idAt(index);
      if (id === TAG.table) stack.popTo(index);
      if (((TRAITS[id] as number) & SCOPE_TRAIT) !== 0) return false;
    }
    const hasCell = stack.outside.isOpen(CELL_HASH) || stack.outside.isOpen(HEADER_HASH);
    return stack.outside.isOpen(TABLE_HASH) && !hasCell && stack.outside.close(TABLE_HASH);
  }

  /** "Reconstruct the active formatting elements": before text and inline elements. */
  reopen(): void {
    if (this.#closed.length === 0) return;
    const marker = this.#markerBelow(this.#stack.depth);
    for (const { id, hash } of this.#closed.filter((one) => one.marker === marker)) {
      this.#stack.push({ id, hash, kind: HTML_NODE, isMath: false });
    }
    this.#closed = this.#closed.filter((one) => one.marker !== marker);
  }

  /** The nearest element below a depth that keeps formatting inside it; -1 when there is none. */
  #markerBelow(depth: number): number {
    const stack = this.#stack;
    for (let index = depth - 1; index >= 0; index--) {
      stack.steps++;
      if (this.#isMarker(index)) return index;
    }
    return -1;
  }

  #isMarker(index: number): boolean {
    const isHtml = this.#stack.kindAt(index) === HTML_NODE;
    return isHtml && ((TRAITS[this.#stack.idAt(index)] as number) & MARKER_TRAIT) !== 0;
  }

  /** Closes what a start tag closes before its element is opened. */
  #closeBefore(id: number, hash: number, traits: number): void {
    const stack = this.#stack;
    if (id === TAG.li) this.#closeItem([TAG.li]);
    if (id === TAG.dd || id === TAG.dt) this.#closeItem([TAG.dd, TAG.dt]);
    const closesP = (traits & CLOSES_P_TRAIT) !== 0 && !(id === TAG.table && this.isQuirky);
    if (closesP) this.#closeIn(TAG.p, TAG.button);
    if (id === TAG.button || id === TAG.select) this.#closeIn(id, NO_ELEMENT);
    if (id === TAG.a || id === TAG.nobr) this.#closeSame(id, hash);
    if (isHeading(id) && isHeading(stack.topId)) this.#popTo(stack.depth - 1);
    const isOption = id === TAG.option || id === TAG.optgroup;
    if (isOption && stack.topId === TAG.option) this.#popTo(stack.depth - 1);
  }

  /** Only one `a` may be open: an older one is removed, wherever it is. */
  #closeSame(id: number, hash: number): void {
    this.#closeFormatting(id);
    this.#closed = this.#closed.filter((one) => one.id !== id);
    const stack = this.#stack;
    for (let index = stack.depth - 1; index >= 0; index--) {
      stack.steps++;
      if (stack.idAt(index) !== id || stack.kindAt(index) !== HTML_NODE) continue;
      stack.remove(index);
      return;
    }
    stack.outside.close(hash);
  }

  /** An open list item is closed by the next, unless another block began inside it. */
  #closeItem(ids: readonly number[]): void {
    const stack = this.#stack;
    for (let index = stack.depth - 1; index >= 0; index--) {
      stack.steps++;
      if (stack.kindAt(index) !== HTML_NODE) return;
      const id = stack.idAt(index);
      if (ids.includes(id)) {
        this.#popTo(index);
        return;
      }
      if (this.#isSpecial(index) && id !== TAG.address && id !== TAG.div && id !== TAG.p) return;
    }
  }

  #closeIn(id: number, barrierId: number): void {
    const index = this.#find(id, SCOPE_TRAIT, barrierId, true);
    if (index >= 0) this.#popTo(index);
  }

  /** An end tag by the rules of HTML; false when it may concern an element outside. */
  close(id: number, hash: number): boolean {
    const traits = TRAITS[id] as number;
    if ((traits & FORMATTING_TRAIT) !== 0) return this.#closeFormatting(id);
    if ((traits & SCOPED_END_TRAIT) === 0) return this.#closeAny(hash);
    const isTable = (traits & TABLE_PART_TRAIT) !== 0 || id === TAG.table;
    const barrier = isTable ? TABLE_SCOPE_TRAIT : SCOPE_TRAIT;
    const index = isHeading(id)
      ? this.#findHeading()
      : this.#find(id, barrier, id === TAG.p ? TAG.button : NO_ELEMENT, !isTable);
    if (index < 0) return index === NOT_FOUND;
    if (id === TAG.form) this.#stack.remove(index);
    else this.#popTo(index);
    return true;
  }

  /**
   * The topmost open element of this id. The search stops at elements with the barrier's trait and,
   * if `stopsAtPoints`, at integration points.
   */
  #find(id: number, barrier: number, barrierId: number, stopsAtPoints: boolean): number {
    const stack = this.#stack;
    for (let index = stack.depth - 1; index >= 0; index--) {
      stack.steps++;
      const kind = stack.kindAt(index);
      if (kind === FOREIGN_NODE) continue;
      if (kind !== HTML_NODE) {
        if (stopsAtPoints) return NOT_FOUND;
        continue;
      }
      const other = stack.idAt(index);
      if (other === id) return index;
      if (((TRAITS[other] as number) & barrier) !== 0 || other === barrierId) return NOT_FOUND;
    }
    return OUTSIDE;
  }

  /** Any heading's end tag closes any heading. */
  #findHeading(): number {
    let found = NOT_FOUND;
    for (let id = TAG.h1; id <= TAG.h6; id++) {
      found = Math.max(found, this.#find(id, SCOPE_TRAIT, NO_ELEMENT, true));
    }
    return found >= 0 ? found : this.#find(TAG.h1, SCOPE_TRAIT, NO_ELEMENT, true);
  }

  /** "Any other end tag": the nearest element of that name, if no special one stands before it. */
  #closeAny(hash: number): boolean {
    const stack = this.#stack;
    for (let index = stack.depth - 1; index >= 0; index--) {
      const kind = stack.kindAt(index);
      if (kind === FOREIGN_NODE) continue;
      if (kind !== HTML_NODE) return true;
      if (stack.isNamed(index, hash)) {
        this.#popTo(index);
        return true;
      }
      if (this.#isSpecial(index)) return true;
    }
    return false;
  }

  /** The adoption agency: the element is removed; blocks that were opened inside it stay. */
  #closeFormatting(id: number): boolean {
    const stack = this.#stack;
    const closed = this.#closed.findLastIndex((one) => one.id === id);
    const index = this.#find(id, SCOPE_TRAIT, NO_ELEMENT, true);
    if (closed >= 0) this.#closed.splice(closed, 1);
    if (index < 0) return index === NOT_FOUND || closed >= 0;
    let last = index;
    for (let above = index + 1; above < stack.depth; above++) {
      stack.steps++;
      if (this.#isSpecial(above)) last = above;
    }
    this.#popTo(last + 1);
    stack.remove(index);
    return true;
  }

  #isSpecial(index: number): boolean {
    const kind = this.#stack.kindAt(index);
    if (kind !== HTML_NODE) return kind !== FOREIGN_NODE;
    return ((TRAITS[this.#stack.idAt(index)] as number) & SPECIAL_TRAIT) !== 0;
  }

  /** "Noah's Ark": of equal elements only the last three are opened again. */
  #remember(element: ClosedElement): void {
    const isSame = (one: ClosedElement) => one.id === element.id && one.marker === element.marker;
    if (this.#closed.filter(isSame).length >= 3) {
      this.#closed.splice(this.#closed.findIndex(isSame), 1);
    }
    this.#closed.push(element);
  }

  /** Closes all above a depth, and remembers formatting elements that are to be opened again. */
  #popTo(depth: number): void {
    const stack = this.#stack;
    const marker = this.#markerBelow(depth);
    for (let index = depth; index < stack.depth && !this.#isMarker(index); index++) {
      const id = stack.idAt(index);
      const isFormatting = ((TRAITS[id] as number) & FORMATTING_TRAIT) !== 0;
      if (!isFormatting || stack.kindAt(index) !== HTML_NODE) continue;
      if (this.#closed.length === CLOSED_MAX) break;
      this.#remember({ id, hash: stack.hashAt(index), marker });
    }
    if (this.#closed.length > 0) this.#closed = this.#closed.filter((one) => one.marker < depth);
    stack.popTo(depth);
  }
}

function isHeading(id: number): boolean {
  return id >= TAG.h1 && id <= TAG.h6;
}
