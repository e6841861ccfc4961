/**
 * Stores that are not archives: where pages go if `store.kind` is not `warc`, and what further stores of
 * a topology are. The crawl log, the index and the links are kept all the same.
 *
 * `RowFiles` is the series of files that the kind `jsonl` writes, a sink for the rows of `export`, and
 * `readRowFile` reads one;
 * `user-store.ts` is the contract of modules, and of objects that a program gives. The agent gives pages
 * to both and waits for them. Read `user-store.ts` first, and docs/stores.md.
 */
export { readRowFile } from "./read-row-file.ts";
export { finalOf, isOfSeries, ROWS_FOLDER, serialOf } from "./row-file-names.ts";
export { openRowFiles, type RowFiles } from "./row-files.ts";
export type {
  CreateStore,
  Duplication,
  StorePage,
  UserStore,
  UserStoreOptions,
} from "./user-store.ts";
