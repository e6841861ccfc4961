/** What an archived page says: its text and its links, read from its record. */
import { decodeText, encodingOfLabel } from "../../../formats/charset/index.ts";
import {
  documentBase,
  type Link,
  type Page,
  PageParser,
  readPlainText,
  resolveLink,
} from "../../../formats/html/index.ts";
import { headerValue, parseContentType } from "../../../formats/http/index.ts";
import { LINK_KINDS } from "../../../formats/link/index.ts";
import type { PageRow, RowLink } from "../page-row.ts";
import type { PageRecord, PageText } from "./export-source.ts";
import { contentOf, mediaOf } from "./page-content.ts";

const PLAIN_TEXT = "text/plain";
const HTML: ReadonlySet<string> = new Set(["text/html", "application/xhtml+xml"]);

/** Every kind of link but strings in scripts, which are guesses. */
const KINDS = LINK_KINDS.filter((kind) => kind !== "string");

/** Whether pages of a media type are read for text and links; one that is not known may be. */
export function isRead(media: string | null): boolean {
  return media === null || media === "" || HTML.has(media) || media === PLAIN_TEXT;
}

export class PageReading {
  readonly #withText = new PageParser({ kinds: KINDS, text: true });

  /** Null for what is not HTML or plain text, and for what cannot be decoded. */
  read(record: PageRecord, page: Pick<PageRow, "mime">): Page | null {
    const media = mediaOf(record, page);
    const isHtml = HTML.has(media);
    if (!isHtml && media !== PLAIN_TEXT) return null;
    const content = contentOf(record);
    if (content.kind !== "content") return null;
    const contentType = headerValue(record.headers, "content-type");
    return isHtml
      ? this.html(content.bytes, contentType)
      : readPlainText(content.bytes, encodingIn(contentType), { text: true, kinds: [] });
  }

  /** The type is that of the answer, as it stands there. */
  html(bytes: Uint8Array, contentType: string | undefined): Page {
    return this.#withText.read(bytes, encodingIn(contentType));
  }

  /** The source of a page that was read, as text. */
  decoded(bytes: Uint8Array, { encoding }: Page): string {
    return decodeText(bytes, encoding).replace(/^\ufeff/, "");
  }

  text(record: PageRecord, page: Pick<PageRow, "mime">): PageText | null {
    const read = this.read(record, page);
    if (read === null) return null;
    const { title, description, encoding, language, text } = read;
    return { title, description, charset: encoding, language, text };
  }

  links(record: PageRecord, page: Pick<PageRow, "mime" | "url">): readonly RowLink[] | null {
    const read = this.read(record, page);
    if (read === null) return null;
    const base = documentBase(page.url, read.base, read.encoding);
    return read.links.flatMap((link) => absolute(link, base, read));
  }
}

function encodingIn(contentType: string | undefined): {
  readonly headerEncoding: ReturnType<typeof encodingOfLabel>;
} {
  return { headerEncoding: encodingOfLabel(parseContentType(contentType).charset) };
}

function absolute({ url: written, kind, rel, text }: Link, base: string, page: Page): RowLink[] {
  const url = resolveLink(written, base, page.encoding);
  return url === undefined ? [] : [{ url, kind, rel, text }];
}
