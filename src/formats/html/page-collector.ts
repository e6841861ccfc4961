/**
 * Makes a page out of tokens. The tokenizer reports tags and text; the tree rules say which of them
 * are HTML and how their content is read; what was asked for is collected: links in the link list,
 * text in the visible text, and the facts of the head.
 *
 * Links inside a `template` count like any others, since scripts put them into the page; its text,
 * base, title and meta elements do not.
 */
import type { Sniffed } from "../charset/index.ts";
import { ATTRIBUTE } from "./attribute-names.ts";
import { AttributeSlots } from "./attribute-slots.ts";
import { DeclaredFacts } from "./declared-facts.ts";
import { ELEMENT_IDS, TAG } from "./elements.ts";
import type { ExtractSettings } from "./extract-options.ts";
import { HeadFacts } from "./head-facts.ts";
import { LinkCollector } from "./links/link-collector.ts";
import { ScriptText, urlStrings } from "./links/script-strings.ts";
import type { Page, Truncation } from "./page.ts";
import { HEAD_WORK, LINE_WORK, LINK_WORK, type PagePlan, TREE_WORK } from "./page-plan.ts";
import type { PageSink } from "./page-sink.ts";
import type { OpenCounts } from "./tokens/open-counts.ts";
import { DATA, SCRIPT_DATA, type StartTag, type TokenSink } from "./tokens/token-sink.ts";
import { TreeRules } from "./tokens/tree-rules.ts";
import type { HighBytes } from "./values.ts";
import { VisibleText } from "./visible-text.ts";

const NOTHING_INERT = new Uint8Array(ELEMENT_IDS);
const TITLE_BYTES_MAX = 4096;
/** What is longer is cut, so it is not JSON. */
const LINKED_DATA_BYTES_MAX = 256 * 1024;
const HIDDEN_IN_SVG: ReadonlySet<number> = new Set([TAG.style, TAG.script, TAG.title, TAG.desc]);

/** Where the text that the tokenizer reports goes. */
const PAGE_TEXT = 0;
const TITLE_TEXT = 1;
const SCRIPT_TEXT = 2;
const NO_TEXT = 3;
const STYLE_TEXT = 4;
const LINKED_DATA_TEXT = 5;

export class PageCollector implements TokenSink {
  readonly wanted: Uint8Array;
  readonly attributes: AttributeSlots;
  readonly counts: OpenCounts;
  inert: Uint8Array = NOTHING_INERT;
  isListening = true;
  readonly #inert: Uint8Array;
  readonly #work: Uint8Array;
  readonly #settings: ExtractSettings;
  readonly #tree: TreeRules;
  readonly #links: LinkCollector;
  readonly #text: VisibleText;
  readonly #titleText: VisibleText;
  /** Present only if scripts are searched for URLs. */
  readonly #script: ScriptText | undefined;
  /** Present only if styles are. */
  readonly #style: ScriptText | undefined;
  /** Present only if facts are asked for. */
  readonly #linkedData: ScriptText | undefined;
  #declared: DeclaredFacts | undefined;
  #head: HeadFacts;
  #target = PAGE_TEXT;
  #hasTitle = false;
  /** The link whose text is being read; -1 for none. */
  #openLink = -1;
  /** The template depth at which text became invisible; 0 while it is visible. */
  #hiddenDepth = 0;
  /** The SVG `style`, `title`, … that is open; its text is not for readers. */
  #hiddenElement = 0;
  #hasLongTag = false;

  constructor(plan: PagePlan, highBytes: HighBytes) {
    const settings = plan.settings;
    const { attributeBytesMax, textBytesMax, linkTextBytesMax } = settings;
    this.#settings = settings;
    this.wanted = plan.wanted;
    this.#inert = plan.inert;
    this.#work = plan.work;
    this.attributes = new AttributeSlots({ highBytes, attributeBytesMax });
    this.#tree = new TreeRules(this.attributes);
    this.counts = this.#tree.outside;
    this.#links = new LinkCollector(this.attributes, {
      kinds: plan.kinds,
      asksForForms: settings.kinds.has("form"),
      asksForStyles: settings.kinds.has("style"),
      linksMax: settings.linksMax,
    });
    this.#head = new HeadFacts(this.attributes, settings.robotsNames);
    this.#text = new VisibleText({ highBytes, textBytesMax, linkTextBytesMax });
    this.#titleText = new VisibleText({
      highBytes,
      textBytesMax: TITLE_BYTES_MAX,
      linkTextBytesMax: 0,
    });
    this.#script = settings.kinds.has("string")
      ? new ScriptText(settings.scriptBytesMax, highBytes)
      : undefined;
    this.#style = settings.kinds.has("style")
      ? new ScriptText(settings.scriptBytesMax, highBytes)
      : undefined;
    if (settings.facts) {
      this.#linkedData = new ScriptText(LINKED_DATA_BYTES_MAX, highBytes);
      this.#declared = new DeclaredFacts(this.attributes);
    }
  }

  /** To be called whenever the tree may have changed, or a link was opened or closed. */
  #settle(): void {
    this.inert = this.#tree.isPlain ? this.#inert : NOTHING_INERT;
    const wantsText = this.#settings.textBytesMax > 0 || this.#openLink >= 0;
    this.isListening = wantsText || this.#tree.wantsText;
  }

  /** Prepares for another page of the same encoding. */
  clear(): void {
    this.attributes.isCut = false;
    this.#tree.clear();
    this.#links.list.clear();
    this.#text.clear();
    this.#titleText.clear();
    this.#head = new HeadFacts(this.attributes, this.#settings.robotsNames);
    this.#target = PAGE_TEXT;
    this.#hasTitle = false;
    this.#openLink = -1;
    this.#hiddenDepth = 0;
    this.#hiddenElement = 0;
    this.#hasLongTag = false;
    this.#script?.clear();
    this.#style?.clear();
    if (this.#settings.facts) {
      this.#linkedData?.clear();
      this.#declared = new DeclaredFacts(this.attributes);
    }
    this.#settle();
  }

  get steps(): number {
    return this.#tree.steps;
  }

  breakLine(): void {
    this.#text.breakLine();
  }

  beginTag(bytes: Uint8Array): void {
    this.attributes.begin(bytes);
  }

  isForeign(): boolean {
    return this.#tree.isForeign();
  }

  doctype(): void {
    this.#tree.doctype();
  }

  tagTooLong(): void {
    this.#hasLongTag = true;
  }

  startTag(tag: StartTag): number {
    const id = tag.id;
    const work = this.#work[id] as number;
    if (work < TREE_WORK && this.#tree.isPlain) {
      // An `a` closes the one before.
      if (id === TAG.a) this.counts.openSingle(tag.hash);
      else this.counts.open(tag.hash);
      this.#doWork(id, work);
      return DATA;
    }
    const content = this.#tree.startTag(tag);
    this.#settle();
    if (content < 0) return this.#foreignTag(id);
    if (work !== 0) this.#doWork(id, work);
    if (content !== DATA || id === TAG.template) this.#enterContent(id, content);
    return content;
  }

  endTag(id: number, hash: number): void {
    const work = this.#work[id] as number;
    if (work < TREE_WORK && this.#tree.isPlain) {
      this.counts.close(hash);
      this.#endWork(id, work);
      return;
    }
    this.#tree.endTag(id, hash);
    this.#settle();
    if (this.#target !== PAGE_TEXT) this.#leaveContent();
    this.#endWork(id, work);
    if (this.#hiddenDepth > this.#tree.templateDepth) this.#hiddenDepth = 0;
    if (id === this.#hiddenElement) this.#hiddenElement = 0;
  }

  tellFrameSource(page: PageSink): void {
    this.attributes.tellSource(page);
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    if (this.#target === TITLE_TEXT) this.#titleText.text(bytes, from, to);
    else if (this.#target === PAGE_TEXT) {
      if (this.#tree.wantsText) {
        this.#tree.text(bytes, from, to);
        this.#settle();
      }
      if (this.#text.isOpen && this.#isVisible()) this.#text.text(bytes, from, to);
    }
  }

  rawText(bytes: Uint8Array, from: number, to: number): void {
    if (this.#target === SCRIPT_TEXT) this.#script?.append(bytes, from, to);
    else if (this.#target === LINKED_DATA_TEXT) this.#linkedDataText(bytes, from, to);
    else if (this.#target === STYLE_TEXT) this.#style?.append(bytes, from, to);
    else if (this.#target === PAGE_TEXT && this.#text.isOpen && this.#isVisible()) {
      this.#text.rawText(bytes, from, to);
    }
  }

  #doWork(id: number, work: number): void {
    if ((work & LINE_WORK) !== 0) this.#text.breakLine();
    if ((work & LINK_WORK) !== 0) this.#openLinkText(id, this.#links.startTag(id));
    if ((work & HEAD_WORK) !== 0 && this.#tree.isInDocument(id)) {
      const refresh = this.#head.startTag(id);
      this.#declared?.startTag(id);
      if (refresh !== "" && this.#settings.kinds.has("refresh")) {
        this.#links.addString("refresh", refresh);
      }
    }
  }

  #endWork(id: number, work: number): void {
    if (id === TAG.a) this.#closeLink();
    if ((work & LINE_WORK) !== 0) this.#text.breakLine();
  }

  #foreignTag(id: number): number {
    this.#openLinkText(id, this.#links.foreignTag(id));
    if (HIDDEN_IN_SVG.has(id) && this.#hiddenElement === 0) this.#hiddenElement = id;
    return DATA;
  }

  /** The text of an `a` ends where the next one begins. */
  #openLinkText(id: number, link: number): void {
    if (id !== TAG.a || !this.#settings.linkText) return;
    this.#closeLink();
    if (link < 0) return;
    this.#openLink = link;
    this.#text.beginLink();
    this.#settle();
  }

  #closeLink(): void {
    if (this.#openLink < 0) return;
    const list = this.#links.list;
    list.beginText();
    this.#text.endLink(list.strings);
    list.endText(this.#openLink);
    this.#openLink = -1;
    this.#settle();
  }

  #enterContent(id: number, content: number): void {
    if (id === TAG.template) {
      const isShadow = this.attributes.has(ATTRIBUTE.shadowrootmode);
      if (this.#hiddenDepth === 0 && !isShadow) this.#hiddenDepth = this.#tree.templateDepth;
    } else if (id === TAG.title) {
      this.#target = this.#hasTitle || this.#tree.templateDepth > 0 ? NO_TEXT : TITLE_TEXT;
      this.#hasTitle ||= this.#target === TITLE_TEXT;
    } else if (content === SCRIPT_DATA) {
      this.#target = this.#declared?.isLinkedData === true ? LINKED_DATA_TEXT : SCRIPT_TEXT;
    } else if (id === TAG.style && this.#style !== undefined) this.#target = STYLE_TEXT;
    else if (id !== TAG.textarea && id !== TAG.xmp && id !== TAG.plaintext) this.#target = NO_TEXT;
  }

  /** JSON-LD is a script, too, in which URLs may be looked for. */
  #linkedDataText(bytes: Uint8Array, from: number, to: number): void {
    this.#linkedData?.append(bytes, from, to);
    this.#script?.append(bytes, from, to);
  }

  #leaveContent(): void {
    const isLinkedData = this.#target === LINKED_DATA_TEXT;
    if (isLinkedData) this.#declared?.script(this.#linkedData?.take() ?? "");
    if ((isLinkedData || this.#target === SCRIPT_TEXT) && this.#script !== undefined) {
      for (const url of urlStrings(this.#script.take())) this.#links.addString("string", url);
    }
    if (this.#target === STYLE_TEXT) this.#links.addStyle(this.#style?.take() ?? "");
    this.#target = PAGE_TEXT;
  }

  #isVisible(): boolean {
    if (this.#hiddenElement !== 0 && !this.#tree.isForeign()) this.#hiddenElement = 0;
    return this.#hiddenDepth === 0 && this.#hiddenElement === 0;
  }

  /** The page, after its last token. A style sheet whose end is missing is not read. */
  finish(sniffed: Sniffed, isWhole: boolean): Page {
    this.#closeLink();
    if (isWhole || this.#target !== STYLE_TEXT) this.#leaveContent();
    const { base, canonical, description, language, robots } = this.#head;
    return {
      encoding: sniffed.encoding,
      encodingSource: sniffed.source,
      links: this.#links.list.finish(),
      linksTooLong: this.#links.list.tooLong,
      base,
      title: this.#titleText.finish(),
      description,
      canonical,
      language,
      robots,
      text: this.#text.finish(),
      declared: this.#declared?.finish() ?? null,
      truncated: this.#truncations(),
    };
  }

  #truncations(): Truncation[] {
    const truncations: Truncation[] = [];
    if (this.#links.list.isCut) truncations.push("links");
    if (this.#text.isCut) truncations.push("text");
    if (this.attributes.isCut) truncations.push("attribute");
    if (this.#script?.isCut || this.#style?.isCut) truncations.push("script");
    if (this.#hasLongTag) truncations.push("tag");
    return truncations;
  }
}
