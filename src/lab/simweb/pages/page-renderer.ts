/**
 * Makes the bytes of a page from its links, its language and its size. Almost all of a page is
 * copied from ready-made text; the links are written one by one between the paragraphs. A page of
 * 25 kB takes a few tens of microseconds, most of it for the links.
 *
 * The bytes depend on the host only where a link names it, and on hosts that share their pages
 * (mirrors) no link does: so copies are equal byte for byte.
 */
import type { Header } from "../../../base/seams/index.ts";
import type { Chance } from "../model/chance.ts";
import { LinkList } from "../model/link-list.ts";
import { LogNormalTable } from "../model/power-law.ts";
import { folderOf } from "../model/slot-paths.ts";
import type { WebModel } from "../model/web-model.ts";
import { ByteWriter } from "./byte-writer.ts";
import { brokenMarkup, decoy, noise } from "./decoys.ts";
import { encoderFor } from "./encoder.ts";
import { LinkMarkup } from "./link-markup.ts";
import { type PageCharset, PageCharsets } from "./page-charset.ts";
import { type TextPool, textPool } from "./text-pool.ts";
import { type LinkSite, UrlSpeller } from "./url-speller.ts";

export interface RenderedPage {
  readonly body: Buffer;
  readonly contentType: string;
  /** What the page says to robots outside its body. */
  readonly headers: readonly Header[];
}

/** Everything that is known of the page being made. */
interface Draft {
  readonly content: number;
  /** The slot whose page it is: of a copy, its original. */
  readonly source: number;
  /** The number at the foot of the page, and the slot whose words are there. */
  readonly number: number;
  readonly wording: number;
  readonly isFrameset: boolean;
  readonly charset: PageCharset;
  readonly pool: TextPool;
  readonly site: LinkSite;
  readonly base: string;
  readonly layout: Chance;
  readonly spelling: Chance;
  readonly bytes: number;
}

const DOCTYPES = [
  "<!DOCTYPE html>\n",
  "<!doctype html>\n",
  '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n',
  "",
];
const UTF8_MARK: Buffer = Buffer.from([0xef, 0xbb, 0xbf]);

export class PageRenderer {
  readonly #model: WebModel;
  readonly #charsets: PageCharsets;
  readonly #speller: UrlSpeller;
  readonly #markup: LinkMarkup;
  readonly #sizes: LogNormalTable;
  readonly #chance: {
    layout: Chance;
    spelling: Chance;
    size: Chance;
    text: Chance;
    foot: Chance;
  };
  readonly #links = new LinkList();
  readonly #writer = new ByteWriter();

  constructor(model: WebModel) {
    const { pages, text, markup } = model.profile;
    this.#model = model;
    this.#charsets = new PageCharsets(model.seed, text);
    this.#speller = new UrlSpeller(model);
    this.#markup = new LinkMarkup(markup.sloppy);
    this.#sizes = new LogNormalTable({
      median: pages.medianBytes,
      spread: pages.spread,
      max: pages.bytesMax,
    });
    this.#chance = {
      layout: model.chance("layout"),
      spelling: model.chance("spelling"),
      size: model.chance("size"),
      text: model.chance("choice of text"),
      foot: model.chance("words at the foot"),
    };
  }

  /** How large a page is meant to be; its links may make it larger. */
  sizeOf(content: number, slot: number): number {
    return this.#sizes.choose(this.#chance.size.one(content, slot));
  }

  render(host: number, slot: number): RenderedPage {
    const draft = this.#draft(host, slot);
    const { content, source, charset } = draft;
    const isNofollow = this.#model.slots.role(content, slot) === "nofollow-page";
    const directives = this.#model.directives.of(content, source, isNofollow);
    this.#model.links.fill(host, slot, this.#links);
    if (charset.hasMark && !charset.isWide) this.#writer.bytes(UTF8_MARK);
    this.#writeHead(draft, directives.markup);
    if (draft.isFrameset) this.#writeFrames(draft);
    else this.#writeBody(draft);
    const body = this.#writer.taken();
    return {
      body: charset.isWide ? Buffer.from(`\uFEFF${body.toString()}`, "utf16le") : body,
      contentType: charset.contentType,
      headers: directives.headers,
    };
  }

  #draft(host: number, slot: number): Draft {
    const { hosts, slots, paths, links, profile } = this.#model;
    const content = hosts.contentOf(host);
    const source = slots.originalOf(content, slot);
    const charset = this.#charsets.of(content, source);
    const encoder = encoderFor(charset.label);
    const role = slots.role(content, slot);
    // Where the header does not speak of HTML it does not speak of its encoding either.
    const isClear = charset.isClear && role !== "odd-type";
    const layout = this.#chance.layout.at(content, source);
    const isShared = hosts.isShared(host);
    const folder = folderOf(paths.target(content, source));
    const origin = () => this.#model.originOf(hosts.names.nameOf(host));
    const base = layout.happens(profile.links.base)
      ? drawBase(folder, isShared ? null : origin(), layout)
      : null;
    return {
      content,
      source,
      number: role === "numbered-copy" || role === "near-copy" ? slot : source,
      wording: role === "near-copy" ? slot : source,
      isFrameset: links.isFrameset(content, slot),
      charset,
      pool: textPool(charset.language, charset.label),
      site: {
        host,
        content,
        folder: base?.folder ?? folder,
        isShared,
        canWrite: (text) => isClear && encoder.encode(text) !== null,
      },
      base: base?.markup ?? "",
      layout,
      spelling: this.#chance.spelling.at(content, source),
      bytes: this.sizeOf(content, source),
    };
  }

  #writeHead(draft: Draft, directives: string): void {
    const { charset, pool, layout, base } = draft;
    const writer = this.#writer;
    const doctype = this.#model.profile.markup.broken > 0 ? layout.pick(DOCTYPES) : DOCTYPES[0];
    writer.ascii(
      `${doctype}<html lang="${charset.language.code}">\n<head>\n${charset.markup}<title>`,
    );
    pool.writePhrase(layout.u32(), writer);
    writer.ascii(` ${draft.content}-${draft.source}</title>\n${directives}${base}`);
    for (let at = 0; at < this.#links.count; at += 1) {
      const kind = this.#links.kind(at);
      if (kind === "link" || kind === "refresh") this.#writeLink(at, draft);
    }
    writer.ascii("</head>\n");
  }

  #writeFrames(draft: Draft): void {
    this.#writer.ascii('<frameset cols="20%,*">\n');
    for (let at = 0; at < this.#links.count; at += 1) {
      if (this.#links.kind(at) === "frame") this.#writeLink(at, draft);
    }
    this.#writer.ascii(
      '<noframes><a href="/ghost/frameless-0">x</a></noframes>\n</frameset>\n</html>\n',
    );
  }

  #writeBody(draft: Draft): void {
    const { pool, layout, bytes, content, source } = draft;
    const { links, markup } = this.#model.profile;
    const [writer, list] = [this.#writer, this.#links];
    const text = this.#chance.text.at(content, source);
    writer.ascii("<body>\n<h1>");
    pool.writePhrase(layout.u32(), writer);
    writer.ascii("</h1>\n");
    const isBroken = layout.happens(markup.broken);
    if (layout.happens(links.decoys)) writer.ascii(decoy(layout));
    const step = Math.max(0, bytes - writer.length) / (list.count + 1);
    let target = writer.length;
    for (let at = 0; at < list.count; at += 1) {
      const kind = list.kind(at);
      if (kind === "link" || kind === "refresh") continue;
      target += step;
      while (writer.length < target) {
        pool.writeParagraphs(text.u32(), target - writer.length, writer);
      }
      if (isBroken && layout.happens(0.3)) writer.ascii(brokenMarkup(layout));
      this.#writeLink(at, draft);
      if (layout.happens(links.noise)) writer.ascii(noise(layout, draft.base !== ""));
    }
    while (writer.length < bytes) {
      pool.writeParagraphs(text.u32(), bytes - writer.length, writer);
    }
    writer.ascii(`<p>No. ${draft.number} `);
    // Two phrases, so that hardly ever two copies of one page get the same words.
    const words = this.#chance.foot.one(content, draft.wording);
    pool.writePhrase(words, writer);
    writer.ascii(", ");
    pool.writePhrase(words >>> 9, writer);
    writer.ascii("</p>\n");
    if (isBroken && layout.happens(links.decoys)) writer.ascii(`<!-- no end ${decoy(layout)}`);
    else writer.ascii("</body>\n</html>\n");
  }

  #writeLink(at: number, { site, spelling, pool, charset }: Draft): void {
    const list = this.#links;
    const link = {
      kind: list.kind(at),
      text: this.#speller.spell(list, at, site, spelling),
      isNofollow: list.isNofollow(at),
    };
    this.#markup.write(link, spelling, pool, {
      writer: this.#writer,
      encode: (text) => encoderFor(charset.label).encode(text) ?? Buffer.from(text),
    });
  }
}

/** A base that changes what relative references mean, and the folder that it puts them into. */
function drawBase(
  folder: string,
  origin: string | null,
  row: Chance,
): { readonly markup: string; readonly folder: string } {
  const parent = folderOf(folder.slice(0, -1));
  const forms = [
    { href: "/", folder: "/" },
    { href: "/other/folder/page.html", folder: "/other/folder/" },
    { href: "../", folder: folder === "/" ? "/" : parent },
    { href: "sub/", folder: `${folder}sub/` },
    ...(origin === null ? [] : [{ href: `${origin}/based/`, folder: "/based/" }]),
  ];
  const form = row.pick(forms);
  return { markup: `<base href="${form.href}">\n`, folder: form.folder };
}
