/**
 * What a tokenizer must know of the tree, without a tree. The standard's tree builder decides how
 * the content of an element is read: a `title` is text in HTML and markup in SVG, nothing is
 * special in a frameset. Only three things have such an influence, and only they are followed here:
 * foreign content, framesets, and templates that hold table columns.
 *
 * Scripts are not run, so `noscript` is markup like any other element.
 */
import { ATTRIBUTE } from "../attribute-names.ts";
import type { AttributeSlots } from "../attribute-slots.ts";
import {
  BREAKOUT_TRAIT,
  FRAMESET_NOT_OK_TRAIT,
  HEAD_TRAIT,
  TABLE_PART_TRAIT,
  TAG,
  TRAITS,
  VOID_TRAIT,
} from "../elements.ts";
import { isBlank } from "./blank-text.ts";
import { CONTENT } from "./content-kinds.ts";
import {
  ANNOTATION,
  FOREIGN_NODE,
  ForeignStack,
  HTML_NODE,
  HTML_POINT,
  TEXT_POINT,
} from "./foreign-stack.ts";
import { CELL_HASH, HEADER_HASH, HtmlSegment, TABLE_HASH } from "./html-segment.ts";
import type { OpenCounts } from "./open-counts.ts";
import { isSelfClosing } from "./tag-scanner.ts";
import { DATA, type StartTag } from "./token-sink.ts";

const HTML_ENCODINGS: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);

/** What an open template has turned out to hold. */
const UNDECIDED = 0;
const COLUMNS = 1;
const ANYTHING = 2;
const TEMPLATES_MAX = 512;
/** Templates nested deeper share their count of open elements. */
const COUNTED_TEMPLATES_MAX = 16;

export class TreeRules {
  readonly #attributes: AttributeSlots;
  readonly #stack = new ForeignStack();
  readonly #segment = new HtmlSegment(this.#stack);
  /** Kinds of the open templates; their number is `templateDepth`. */
  readonly #templates = new Uint8Array(TEMPLATES_MAX);
  templateDepth = 0;
  /** Whether a `frameset` could still replace the body. */
  #isFramesetOk = true;
  #isFrameset = false;
  /** Whether the next end tag is the one that ended a raw text. */
  #isInText = false;
  /** Whether there was any tag or text. */
  #hasBegun = false;

  constructor(attributes: AttributeSlots) {
    this.#attributes = attributes;
  }

  clear(): void {
    this.#stack.clear();
    this.#segment.clear();
    this.templateDepth = 0;
    this.#isFramesetOk = true;
    this.#isFrameset = false;
    this.#isInText = false;
    this.#hasBegun = false;
    this.isPlain = false;
  }

  /**
   * Whether only the elements of `changesTree` (content-kinds.ts) can change anything: so it is on
   * nearly all of nearly every page, and other tags need only be counted in `outside`.
   */
  isPlain = false;

  get outside(): OpenCounts {
    return this.#stack.outside;
  }

  #settle(): void {
    this.isPlain =
      this.#stack.depth === 0 &&
      this.templateDepth === 0 &&
      !this.#isFramesetOk &&
      !this.#isFrameset &&
      !this.#isInText;
  }

  /** Whether `text` needs to see text. */
  get wantsText(): boolean {
    return this.#isFramesetOk || this.#segment.wantsText;
  }

  get steps(): number {
    return this.#stack.steps;
  }

  /** Whether the current element is SVG or MathML. */
  isForeign(): boolean {
    return this.#stack.topKind !== HTML_NODE;
  }

  /** A document type that comes first turns off the quirks of old browsers. */
  doctype(): void {
    if (!this.#hasBegun) this.#segment.isQuirky = false;
  }

  /** Whether an element counts as part of the document: not in a template, nor in a frameset. */
  isInDocument(id: number): boolean {
    return this.templateDepth === 0 && (!this.#isFrameset || id === TAG.meta);
  }

  /** Text other than white space makes a body, which no frameset can replace. */
  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.#stack.depth > 0 && this.#followsHtmlRules(0)) this.#segment.reopen();
    if (!this.#isFramesetOk || isBlank(bytes, from, to)) return;
    this.#hasBegun = true;
    this.#isFramesetOk = false;
    this.#settle();
  }

  /**
   * Takes a start tag; returns how its content is read, or -1 if the element is foreign.
   */
  startTag(tag: StartTag): number {
    this.#hasBegun = true;
    const content = this.#open(tag);
    this.#settle();
    return content;
  }

  #open(tag: StartTag): number {
    if (this.#stack.depth > 0) return this.#startInForeign(tag);
    const id = tag.id;
    const traits = TRAITS[id] as number;
    if (this.#isFramesetOk && this.#becomesFrameset(id, traits)) return DATA;
    if (this.#isFrameset) return id === TAG.noframes ? this.#content(id) : DATA;
    if (this.templateDepth > 0 && !this.#isAcceptedInTemplate(id, traits)) return DATA;
    if (id === TAG.svg || id === TAG.math) return this.#openForeign(tag, id === TAG.math);
    if (CONTENT[id] === DATA) this.#openOutside(id, tag.hash);
    if (id === TAG.template) this.#openTemplate();
    return this.#content(id);
  }

  /** Counts an element that is opened outside of foreign content. */
  #openOutside(id: number, hash: number): void {
    const outside = this.#stack.outside;
    // Cells that were opened outside of any table were ignored.
    if (id === TAG.table && !outside.isOpen(TABLE_HASH)) this.#forgetCells();
    const isInCell = outside.isOpen(CELL_HASH) || outside.isOpen(HEADER_HASH);
    // An `a` closes the one before; so does a table, unless it is in a cell; a form is ignored.
    const isSingle = id === TAG.a || id === TAG.form || (id === TAG.table && !isInCell);
    if (isSingle) outside.openSingle(hash);
    else outside.open(hash);
  }

  endTag(id: number, hash: number): void {
    this.#hasBegun = true;
    if (this.#isInText) this.#isInText = false;
    else if (this.#stack.depth > 0) this.#endInForeign(id, hash);
    else this.#endOutside(id, hash);
    this.#settle();
  }

  #content(id: number): number {
    const content = CONTENT[id] as number;
    if (content !== DATA) this.#isInText = true;
    return content;
  }

  /** Whether this tag turns the page into a frameset; follows what forbids it. */
  #becomesFrameset(id: number, traits: number): boolean {
    if (id === TAG.frameset && this.templateDepth === 0) {
      this.#isFrameset = true;
      this.#isFramesetOk = false;
      return true;
    }
    const isShown = id === TAG.input && this.#attributes.lowerCase(ATTRIBUTE.type) !== "hidden";
    if (isShown || (traits & FRAMESET_NOT_OK_TRAIT) !== 0) this.#isFramesetOk = false;
    return false;
  }

  #openTemplate(): void {
    if (this.templateDepth < TEMPLATES_MAX) this.#templates[this.templateDepth] = UNDECIDED;
    this.templateDepth++;
    if (this.templateDepth <= COUNTED_TEMPLATES_MAX) this.#stack.outside.openTemplate();
  }

  /** A template that begins with a column holds columns, and ignores everything else. */
  #isAcceptedInTemplate(id: number, traits: number): boolean {
    const index = Math.min(this.templateDepth, TEMPLATES_MAX) - 1;
    if (this.#templates[index] === UNDECIDED && (traits & HEAD_TRAIT) === 0) {
      this.#templates[index] = id === TAG.col ? COLUMNS : ANYTHING;
    }
    return this.#templates[index] !== COLUMNS || id === TAG.col || id === TAG.template;
  }

  /** The innermost template, wherever it is, with everything in it. */
  #closeTemplate(): void {
    if (this.templateDepth === 0) return;
    if (this.templateDepth <= COUNTED_TEMPLATES_MAX) this.#stack.outside.closeTemplate();
    this.templateDepth--;
    const stack = this.#stack;
    let index = stack.depth - 1;
    while (
      index > 0 &&
      !(stack.idAt(index) === TAG.template && stack.kindAt(index) === HTML_NODE)
    ) {
      index--;
    }
    stack.popTo(Math.max(0, index));
  }

  #endOutside(id: number, hash: number): void {
    this.#stack.outside.close(hash);
    if (id === TAG.table && !this.#stack.outside.isOpen(TABLE_HASH)) this.#forgetCells();
    if (id === TAG.template) this.#closeTemplate();
    if (id === TAG.br) this.#isFramesetOk = false;
  }

  #forgetCells(): void {
    this.#stack.outside.forget(CELL_HASH);
    this.#stack.outside.forget(HEADER_HASH);
  }

  #openForeign(tag: StartTag, isMath: boolean): number {
    if (!isSelfClosing(tag.bytes, tag.nameTo, tag.end)) {
      this.#stack.push({ id: tag.id, hash: tag.hash, kind: FOREIGN_NODE, isMath });
    }
    return -1;
  }

  #startInForeign(tag: StartTag): number {
    const stack = this.#stack;
    if (this.#followsHtmlRules(tag.id)) return this.#startInPoint(tag);
    if (this.#isBreakout(tag.id)) {
      this.#leaveForeign();
      return this.#open(tag);
    }
    if (!isSelfClosing(tag.bytes, tag.nameTo, tag.end)) {
      const isMath = stack.topIsMath;
      stack.push({ id: tag.id, hash: tag.hash, kind: this.#kindOf(tag.id, isMath), isMath });
    }
    return -1;
  }

  #followsHtmlRules(id: number): boolean {
    const kind = this.#stack.topKind;
    if (kind === TEXT_POINT) return id !== TAG.mglyph && id !== TAG.malignmark;
    if (kind === ANNOTATION) return id === TAG.svg;
    return kind === HTML_NODE || kind === HTML_POINT;
  }

  #isBreakout(id: number): boolean {
    if (((TRAITS[id] as number) & BREAKOUT_TRAIT) !== 0) return true;
    const attributes = this.#attributes;
    return (
      id === TAG.font &&
      (attributes.has(ATTRIBUTE.color) ||
        attributes.has(ATTRIBUTE.face) ||
        attributes.has(ATTRIBUTE.size))
    );
  }

  #leaveAll(): void {
    this.#stack.popTo(0);
    this.#segment.leave();
  }

  /** Closes elements until HTML is allowed again. */
  #leaveForeign(): void {
    const stack = this.#stack;
    while (stack.topKind === FOREIGN_NODE || stack.topKind === ANNOTATION) {
      stack.popTo(stack.depth - 1);
    }
    if (stack.depth === 0) this.#segment.leave();
  }

  #kindOf(id: number, isMath: boolean): number {
    if (!isMath) {
      const isPoint = id === TAG.foreignobject || id === TAG.desc || id === TAG.title;
      return isPoint ? HTML_POINT : FOREIGN_NODE;
    }
    if (id === TAG["annotation-xml"]) {
      const encoding = this.#attributes.lowerCase(ATTRIBUTE.encoding);
      return HTML_ENCODINGS.has(encoding) ? HTML_POINT : ANNOTATION;
    }
    const isText =
      id === TAG.mi || id === TAG.mo || id === TAG.mn || id === TAG.ms || id === TAG.mtext;
    return isText ? TEXT_POINT : FOREIGN_NODE;
  }

  /** A start tag by the rules of HTML, inside an integration point. */
  #startInPoint(tag: StartTag): number {
    const id = tag.id;
    const traits = TRAITS[id] as number;
    if (this.#isFramesetOk && this.#becomesFrameset(id, traits)) {
      this.#stack.popTo(0);
      return DATA;
    }
    if (this.templateDepth > 0 && !this.#isAcceptedInTemplate(id, traits)) return DATA;
    if (id === TAG.svg || id === TAG.math) {
      this.#segment.reopen();
      return this.#openForeign(tag, id === TAG.math);
    }
    if (id === TAG.template) this.#openTemplate();
    const content = this.#content(id);
    if (content !== DATA || this.#segment.open(tag)) return content;
    this.#leaveAll();
    return this.#open(tag);
  }

  #endInForeign(id: number, hash: number): void {
    const stack = this.#stack;
    if (stack.topKind !== HTML_NODE) {
      if (id === TAG.p || id === TAG.br) this.#leaveForeign();
      else if (this.#closesForeign(hash)) return;
    }
    if (id === TAG.template) {
      this.#closeTemplate();
      return;
    }
    if (this.#segment.close(id, hash)) return;
    if (id === TAG.body || id === TAG.html || id === TAG.form || id === TAG.p) return;
    const traits = TRAITS[id] as number;
    if ((traits & VOID_TRAIT) !== 0) return;
    // A part of a table that was opened outside of any was ignored.
    if ((traits & TABLE_PART_TRAIT) !== 0 && !stack.outside.isOpen(TABLE_HASH)) return;
    if (stack.outside.close(hash)) this.#leaveAll();
  }

  /** The nearest foreign element of that name, no HTML element in between, is closed. */
  #closesForeign(hash: number): boolean {
    const stack = this.#stack;
    for (let index = stack.depth - 1; index >= 0; index--) {
      if (stack.kindAt(index) === HTML_NODE) return false;
      if (!stack.isNamed(index, hash)) continue;
      stack.popTo(index);
      if (index === 0) this.#segment.leave();
      return true;
    }
    return false;
  }
}
