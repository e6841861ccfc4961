/**
 * A text of YAML that is read in almost every process, with the tree that it is: the default topology. The
 * build puts both in (`scripts/bundle.ts`), so that the package does not load a parser for it; the sources
 * have none.
 */
import type { Given } from "./given.ts";

export interface KnownText {
  readonly text: string;
  /** Each of its parts lies in a file without a path. */
  readonly given: Given;
}

export const KNOWN_TEXT: KnownText | null = null;
