/** Rows as JSON lines or CSV, with text and links where they are asked for. */
import type { KeptText } from "../../texts/index.ts";
import type { PageRow } from "../page-row.ts";
import { csvRows, JSON_ROWS, type RowFormat } from "../row-format.ts";
import type { ExportSource } from "../source/export-source.ts";
import type { PageForm } from "./page-form.ts";

export interface RowFormOptions {
  readonly format: "jsonl" | "csv";
  readonly text: boolean;
  readonly links: boolean;
}

export class RowForm implements PageForm {
  readonly #source: ExportSource;
  readonly #options: RowFormOptions;
  readonly #format: RowFormat;

  constructor(source: ExportSource, options: RowFormOptions) {
    this.#source = source;
    this.#options = options;
    const { text, links } = options;
    this.#format =
      options.format === "csv" ? csvRows({ requisites: true, text, links }) : JSON_ROWS;
  }

  head(): Uint8Array {
    return Buffer.from(this.#format.head);
  }

  async encode(page: PageRow): Promise<Uint8Array> {
    return Buffer.from(this.#format.line(await wholeRow(this.#source, page, this.#options)));
  }
}

/** A row with what else is asked for. */
export async function wholeRow(
  source: ExportSource,
  page: PageRow,
  { text, links }: Pick<RowFormOptions, "text" | "links">,
): Promise<PageRow> {
  const said = text ? await source.text(page) : null;
  return {
    ...page,
    ...(said === null ? {} : factsOf(page, said)),
    ...(text ? { text: said?.text || null } : {}),
    ...(said?.kept === undefined ? {} : keptFields(said.kept)),
    ...(links ? { links: await source.links(page) } : {}),
  };
}

function keptFields(kept: KeptText): Partial<PageRow> {
  const { description, canonical, alternates, published, modified, types, words } = kept;
  return {
    ...{ description: description || null, canonical: canonical || null, alternates },
    ...{ published: published || null, modified: modified || null, types },
    ...(words === null ? {} : { words: Object.fromEntries(words) }),
  };
}

/** What the source's rows lack is known when the page is read anyway. */
function factsOf(
  page: PageRow,
  said: { readonly title: string; readonly charset: string; readonly language: string },
): Partial<PageRow> {
  return {
    title: page.title ?? (said.title || null),
    charset: page.charset ?? (said.charset || null),
    language: page.language ?? (said.language || null),
  };
}
