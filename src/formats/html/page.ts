/** What a crawler wants to know of a page. */
import type { EncodingName, EncodingSource } from "../charset/index.ts";
import type { LinkKind } from "../link/index.ts";

export interface Link {
  /** As written, with references decoded, without white space around it; relative to `base`. */
  readonly url: string;
  readonly kind: LinkKind;
  /** The value of `rel`, as written; "" when absent. */
  readonly rel: string;
  /** The text between `<a>` and `</a>`, white space folded; "" for other kinds. */
  readonly text: string;
}

/** A `<meta name>` for robots: `robots`, or the name of a crawler. */
export interface RobotsMeta {
  /** In lower case. */
  readonly name: string;
  readonly content: string;
}

/** What a limit cut off: links after the last, text after the last byte, one value, one tag. */
export type Truncation = "links" | "text" | "attribute" | "tag" | "script";

/** The same page elsewhere: in another language, as a feed, for another device. */
export interface Alternate {
  /** As written; relative to `base`. */
  readonly url: string;
  /** The value of `hreflang`; "" when absent. */
  readonly language: string;
  /** The media type, in lower case; "" when absent. */
  readonly type: string;
}

/** What a page declares of itself for those who index it. */
export interface Declared {
  readonly alternates: readonly Alternate[];
  /** A day or an instant, ISO 8601; "" when it is not declared. */
  readonly published: string;
  readonly modified: string;
  /** Types of JSON-LD, such as `NewsArticle`, each once. */
  readonly types: readonly string[];
}

export interface Page {
  readonly encoding: EncodingName;
  readonly encodingSource: EncodingSource;
  /** In document order. */
  readonly links: readonly Link[];
  /** Links left out, since an attribute that long is not read. */
  readonly linksTooLong: number;
  /** The `href` of the first `<base>` that has one, perhaps relative; undefined without one. */
  readonly base: string | undefined;
  /** White space folded; "" when there is none. */
  readonly title: string;
  /** The content of `<meta name=description>`. */
  readonly description: string;
  /** The `href` of the first `<link rel=canonical>`. */
  readonly canonical: string | undefined;
  /** The `lang` of `<html>`. */
  readonly language: string;
  readonly robots: readonly RobotsMeta[];
  /** What a reader would see, white space folded, a line for each block; "" unless asked for. */
  readonly text: string;
  /** Null unless asked for. */
  readonly declared: Declared | null;
  /** Empty for nearly every page. */
  readonly truncated: readonly Truncation[];
}
