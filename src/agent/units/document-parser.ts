/**
 * Parses documents for crawls in other processes, each by the terms that come with it. It is the same
 * work as the parser's in the crawl, and gives the same pages.
 */
import { type Parsing, parsingByTerms } from "../../parse/page/index.ts";
import { type ComponentDefinition, filter } from "../../topology/unit/index.ts";
import { memoryBody } from "./memory-body.ts";
import { DocumentItem, PageItem } from "./parse-items.ts";

/** A crawl has one; several crawls may share the process. */
const TERMS_MAX = 16;

export const documentParser: ComponentDefinition = filter({
  name: "document-parser",
  input: DocumentItem,
  output: PageItem,
  create: (unit) => {
    const known = new Map<string, Parsing>();
    return (document, emit) => {
      const { run, number, terms, url, headers, isSitemap, isCut } = document;
      const parse = (parsing: Parsing): void => {
        const received = document.received === null ? undefined : memoryBody(document.received);
        const source = { url, headers, received, isSitemap, isCut };
        parsing.parse(source, memoryBody(document.body), (page) => emit({ run, number, page }));
      };
      const parsing = known.get(terms);
      if (parsing !== undefined) {
        parse(parsing);
        return;
      }
      return parsingByTerms(terms, unit.clock).then((made) => {
        if (known.size >= TERMS_MAX) known.clear();
        known.set(terms, made);
        parse(made);
      });
    };
  },
});
