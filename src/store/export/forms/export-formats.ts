/** The formats of `store export`, each with what users need to know before they choose it. */

export interface ExportFormatFacts {
  /** What the name of the file ends in; "" for a folder. */
  readonly ending: string;
  readonly kind: "file" | "folder";
  /** Whether it can be written to standard output. */
  readonly streams: boolean;
  /** Whether an interrupted export goes on where it stopped; otherwise it starts over. */
  readonly continues: boolean;
  /** Whether a filter can choose pages. */
  readonly filters: boolean;
  /** Whether rows can have texts and links (`--text`, `--links`). */
  readonly takesExtras: boolean;
  /** Whether it is made of archived answers, so that a crawl without an archive has none of it. */
  readonly needsArchive: boolean;
  readonly meaning: string;
}

export type ExportFormat =
  | "cdxj"
  | "csv"
  | "graph"
  | "jsonl"
  | "markdown"
  | "parquet"
  | "site"
  | "wacz"
  | "wat"
  | "wet"
  | "words";

const FILE = {
  kind: "file",
  streams: true,
  continues: false,
  filters: true,
  takesExtras: false,
  needsArchive: false,
} as const;
const FOLDER = { ...FILE, ending: "", kind: "folder", streams: false } as const;
const PAGES = { ...FILE, continues: true } as const;
const ROWS = { takesExtras: true } as const;
const ARCHIVED = { needsArchive: true } as const;

export const EXPORT_FORMATS: Readonly<Record<ExportFormat, ExportFormatFacts>> = {
  cdxj: { ...FILE, ...ARCHIVED, ending: ".cdxj", meaning: "an index for replay tools" },
  csv: { ...PAGES, ...ROWS, ending: ".csv", meaning: "a row for each page, for spreadsheets" },
  graph: { ...FOLDER, meaning: "the links between pages as arcs, also in WebGraph's form" },
  jsonl: { ...PAGES, ...ROWS, ending: ".jsonl", meaning: "a JSON object for each page" },
  markdown: {
    ...FOLDER,
    ...ARCHIVED,
    continues: true,
    meaning: "the main content of pages, a file each",
  },
  parquet: { ...FILE, ending: ".parquet", meaning: "Common Crawl's index columns, for SQL" },
  site: {
    ...FOLDER,
    ...ARCHIVED,
    continues: true,
    meaning: "a copy that opens from disk, links rewritten",
  },
  wacz: {
    ...{ ...FILE, ...ARCHIVED, streams: false, filters: false },
    ...{ ending: ".wacz", meaning: "the archive with its index, for replay" },
  },
  wat: {
    ...PAGES,
    ...ARCHIVED,
    ending: ".wat.gz",
    meaning: "heads and links, in Common Crawl's form",
  },
  wet: { ...PAGES, ...ARCHIVED, ending: ".wet.gz", meaning: "text, in Common Crawl's form" },
  words: { ...FILE, ending: ".words.tsv", meaning: "terms with their pages, sorted by term" },
};

export function isExportFormat(name: string): name is ExportFormat {
  return Object.hasOwn(EXPORT_FORMATS, name);
}
