/** `trobar/html`: what an HTML document links to and says of itself. Scripts are not run. */
import { encodingOfLabel } from "../formats/charset/index.ts";
import { documentBase, PageParser, resolveLink } from "../formats/html/index.ts";
import { parseContentType } from "../formats/http/index.ts";
import type { LinkKind } from "../formats/link/index.ts";
import { bytesOf } from "./byte-source.ts";

export type { LinkKind };

export interface HtmlOptions {
  /** The URL of the document: links are resolved against it, or against its `<base>`. */
  readonly url: string;
  /** The Content-Type header, for the character encoding; a text is always read as it is. */
  readonly contentType?: string | undefined;
  /** The kinds of links to return: those that lead to pages unless given. */
  readonly kinds?: readonly LinkKind[] | undefined;
  /** Whether the visible text is wanted. */
  readonly text?: boolean | undefined;
}

/** A link of a document. */
export interface HtmlLink {
  /** Absolute, in the form of the WHATWG standard; of any scheme. */
  readonly url: string;
  /** Where it was found: mostly the name of the element. */
  readonly kind: LinkKind;
  /** The value of `rel`, as written; "" when absent. */
  readonly rel: string;
  /** The text between `<a>` and `</a>`; "" for other kinds. */
  readonly text: string;
}

export interface HtmlDocument {
  /** In document order; what is not a URL is left out. */
  readonly links: readonly HtmlLink[];
  /** What links are resolved against. */
  readonly base: string;
  /** The character encoding, in lower case. */
  readonly charset: string;
  /** White space folded; "" when there is none. */
  readonly title: string;
  /** The content of `<meta name=description>`; "" when there is none. */
  readonly description: string;
  /** The `lang` of `<html>`; "" when there is none. */
  readonly language: string;
  /** The URL of `<link rel=canonical>`; null when there is none. */
  readonly canonical: string | null;
  /** `<meta name=robots>`, for `pageDirectives` of `trobar/robots`. */
  readonly robots: readonly { readonly name: string; readonly content: string }[];
  /** What a reader sees, a line for each block; "" unless asked for. */
  readonly text: string;
}

/**
 * Reads a document, in time linear in its length. Errors in markup have the meaning that the HTML
 * standard gives them; nothing throws, unless `url` is not an absolute URL.
 */
export function readHtml(content: string | Uint8Array, options: HtmlOptions): HtmlDocument {
  const { kinds, text = false } = options;
  const url = new URL(options.url).href;
  const label =
    typeof content === "string" ? "utf-8" : parseContentType(options.contentType).charset;
  const parser = new PageParser({ text, ...(kinds === undefined ? {} : { kinds }) });
  const page = parser.read(bytesOf(content), { headerEncoding: encodingOfLabel(label) });
  const { encoding, title, description, language, robots } = page;
  const base = documentBase(url, page.base, encoding);
  const resolved = (link: string): string | null => resolveLink(link, base, encoding) ?? null;
  return {
    ...{ base, charset: encoding, title, description, language, robots, text: page.text },
    canonical: page.canonical === undefined ? null : resolved(page.canonical),
    links: page.links.flatMap(({ url: written, kind, rel, text: anchor }) => {
      const target = resolved(written);
      return target === null ? [] : [{ url: target, kind, rel, text: anchor }];
    }),
  };
}
