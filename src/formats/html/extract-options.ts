/** What to look for in a page, and how much of it to keep. */
import { type LinkKind, PAGE_KINDS } from "../link/index.ts";

export interface ExtractOptions {
  /** The kinds of links to return. */
  readonly kinds?: Iterable<LinkKind>;
  /** Whether links come with their text. */
  readonly linkText?: boolean;
  /** Whether the visible text is wanted. */
  readonly text?: boolean;
  /** Whether alternates, dates and types of JSON-LD are wanted. */
  readonly facts?: boolean;
  /** Names of `<meta>` elements that speak to robots, in lower case. */
  readonly robotsNames?: readonly string[];
  readonly linksMax?: number;
  readonly textBytesMax?: number;
  readonly linkTextBytesMax?: number;
  readonly attributeBytesMax?: number;
  /** How much of an inline script is searched for URLs. */
  readonly scriptBytesMax?: number;
}

/** The options with their defaults; `textBytesMax` is 0 when no text is wanted. */
export interface ExtractSettings
  extends Required<Omit<ExtractOptions, "kinds" | "robotsNames" | "text">> {
  readonly kinds: ReadonlySet<LinkKind>;
  readonly robotsNames: ReadonlySet<string>;
}

export function extractSettings(options: ExtractOptions): ExtractSettings {
  return {
    kinds: new Set(options.kinds ?? PAGE_KINDS),
    linkText: options.linkText ?? true,
    facts: options.facts ?? false,
    robotsNames: new Set(options.robotsNames ?? ["robots"]),
    linksMax: options.linksMax ?? 10_000,
    textBytesMax: options.text === true ? (options.textBytesMax ?? 1024 * 1024) : 0,
    linkTextBytesMax: options.linkTextBytesMax ?? 256,
    attributeBytesMax: options.attributeBytesMax ?? 64 * 1024,
    scriptBytesMax: options.scriptBytesMax ?? 1024 * 1024,
  };
}
