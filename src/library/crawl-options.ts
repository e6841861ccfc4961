/** What a program may ask of a crawl: the tree of configuration keys, and options beside it. */
import type { CrawlSummary, SeedFailure } from "../agent/index.ts";
import type { CrawlError } from "../base/errors/index.ts";
import type { UserParser } from "../parse/page/index.ts";
import type { Configuration } from "../rules/config/index.ts";
import type { Score, ScoredLink } from "../rules/score/index.ts";
import type { Pair } from "../rules/settings/index.ts";
import type { UserStore } from "../store/pages/index.ts";
import type { Page } from "./page.ts";

/** A value as in YAML: numbers may be texts with a unit, such as `"5ms"` or `"10Mi"`. */
type Written<Value> = Value extends boolean | null
  ? Value
  : Value extends number
    ? number | string
    : Value extends string
      ? Value
      : Value extends readonly Pair<infer Item>[]
        ? Readonly<Record<string, Written<Item>>>
        : Value extends readonly (infer Item)[]
          ? readonly Written<Item>[]
          : { readonly [Key in keyof Value]?: Written<Value[Key]> | undefined };

type Tree = { readonly [Key in keyof Configuration]?: Written<Configuration[Key]> | undefined };

/** Atoms for filters, by their names, as a module of atoms exports them. */
export type OwnAtoms = Readonly<Record<string, unknown>>;

/** The configuration tree, with functions and objects where it has modules. */
export interface CrawlSettings
  extends Omit<Tree, "seeds" | "parse" | "filters" | "frontier" | "store"> {
  readonly seeds?: readonly (string | URL)[] | undefined;
  readonly parse?:
    | (Omit<NonNullable<Tree["parse"]>, "parsers"> & {
        readonly parsers?: readonly (string | UserParser)[] | undefined;
      })
    | undefined;
  readonly filters?:
    | (Omit<NonNullable<Tree["filters"]>, "modules"> & {
        readonly modules?: readonly (string | OwnAtoms)[] | undefined;
      })
    | undefined;
  readonly frontier?:
    | (Omit<NonNullable<Tree["frontier"]>, "score"> & {
        readonly score?: string | Score | ((link: ScoredLink) => number) | undefined;
      })
    | undefined;
  readonly store?:
    | (Omit<NonNullable<Tree["store"]>, "kind"> & {
        readonly kind?: string | UserStore | undefined;
      })
    | undefined;
}

/** URLs that are treated like links of the page; relative ones are resolved against its URL. */
export type AddedLinks = readonly (string | URL)[] | undefined;

/** Any function of a page; one that returns nothing adds no links. */
// biome-ignore lint/suspicious/noConfusingVoidType: without `void` a function declared elsewhere would need to return `undefined` itself
export type PageHandler = (page: Page) => AddedLinks | void | Promise<AddedLinks | void>;

export interface CrawlOptions extends CrawlSettings {
  /** The crawl directory. Without it a temporary one is used, and removed when the crawl has ended. */
  readonly out?: string | undefined;
  /** Whether a crawl that is in the directory already is removed first. */
  readonly fresh?: boolean | undefined;
  /** Whether seeds that are new to the crawl in the directory are added to it; else they are refused. */
  readonly add?: boolean | undefined;
  /**
   * Called for every page, in place of the loop. The page is held, and its content can be read, until
   * the promise settles.
   */
  readonly handler?: PageHandler | undefined;
  /** How many pages are given to the handler at once: 8 unless said otherwise, at most 64. */
  readonly handlers?: number | undefined;
  /**
   * What happens when the handler throws: `stop` ends the crawl, and `finished()` rejects with
   * `HANDLER_FAILED`; `continue` tells `onTrouble` and goes on. `stop` unless said otherwise.
   */
  readonly handlerErrors?: "stop" | "continue" | undefined;
  /** Whether pages have their text, and their links. */
  readonly text?: boolean | undefined;
  readonly links?: boolean | undefined;
  /** Whether pages have their main content as Markdown, which costs milliseconds a page. */
  readonly markdown?: boolean | undefined;
  /** A file for a row of each page, as by the flag `--pages`: `.jsonl` or `.csv`, both also `.gz`. */
  readonly pages?: string | undefined;
  /** Further fields of the rows, by CSS selectors, as by the flag `--extract`: `{ price: ".price" }`. */
  readonly extract?: Readonly<Record<string, string>> | undefined;
  /** Names of the fields that `page.push` adds; needed for CSV, whose columns are fixed. */
  readonly fields?: readonly string[] | undefined;
  /** A file of cookies, as browsers' tools export it; they are sent to their hosts, and not recorded. */
  readonly cookies?: string | undefined;
  /** Stops the crawl gracefully when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Called about every second, and at the end. */
  readonly onProgress?: ((summary: CrawlSummary) => void) | undefined;
  /** Called for errors that belong to no single page, such as a full disk. By default they are warnings. */
  readonly onTrouble?: ((error: CrawlError) => void) | undefined;
  /** Called for the first failure of each seed. */
  readonly onSeedFailed?: ((failure: SeedFailure) => void) | undefined;
}
