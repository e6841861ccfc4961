/** To be written. */
export { type ExtractOptions, PAGE_LINK_KINDS } from "./extract-options.ts";
export { LINK_KINDS, type Link, type LinkKind, type Page, type RobotsMeta } from "./page.ts";
export { PageParser } from "./page-parser.ts";
