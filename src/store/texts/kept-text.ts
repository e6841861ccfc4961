/**
 * What is kept of what a page says, and its form in a block: one line of JSON for each page, without
 * what is empty.
 */

/** The same page elsewhere: in another language, for another device, or as a feed. */
export interface AlternateUrl {
  /** Absolute. */
  readonly url: string;
  /** The language, `x-default` among them; "" where none is declared. */
  readonly language: string;
  /** The media type, such as `application/rss+xml`; "" where none is declared. */
  readonly type: string;
}

export interface KeptText {
  /** Of the page: what is read under another URL is not its text. */
  readonly url: string;
  readonly title: string;
  readonly description: string;
  /** The encoding that the page was read by. */
  readonly charset: string;
  /** As identified, else as declared; "" when neither is known. */
  readonly language: string;
  /** Absolute; "" when the page names none. */
  readonly canonical: string;
  readonly alternates: readonly AlternateUrl[];
  /** Instants in ISO 8601, or days; "" when the page does not say. */
  readonly published: string;
  readonly modified: string;
  /** The types of its JSON-LD, such as `NewsArticle`, each once. */
  readonly types: readonly string[];
  /** "" unless `store.text` is on. */
  readonly text: string;
  /** The words of the text with their counts; null unless `parse.words` is on. */
  readonly words: ReadonlyMap<string, number> | null;
}

/** About what it takes in a block. */
export function charactersOf({ url, title, text, words }: KeptText): number {
  return 100 + url.length + title.length + text.length + 12 * (words?.size ?? 0);
}

export function textLine({ words, ...text }: KeptText): string {
  const said = Object.entries(text).filter(([, value]) => value.length > 0);
  const pairs = words === null ? [] : [["words", [...words]] as const];
  return `${JSON.stringify(Object.fromEntries([...said, ...pairs]))}\n`;
}

const NOTHING: KeptText = {
  ...{ url: "", title: "", description: "", charset: "", language: "", canonical: "" },
  ...{ alternates: [], published: "", modified: "", types: [], text: "", words: null },
};

/** The text in this line of a block; null when the block has no such line. */
export function textAt(block: string, entry: number): KeptText | null {
  let from = 0;
  for (let line = 0; line < entry; line++) {
    const end = block.indexOf("\n", from);
    if (end < 0) return null;
    from = end + 1;
  }
  const to = block.indexOf("\n", from);
  return to < 0 ? null : parsed(block.slice(from, to));
}

function parsed(line: string): KeptText | null {
  try {
    const { words, ...said } = JSON.parse(line);
    return { ...NOTHING, ...said, words: words === undefined ? null : new Map(words) };
  } catch {
    return null;
  }
}
