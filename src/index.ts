/** The library's door. The crawl itself comes with a later step; today it exports the seams. */
export * from "./base/seams/index.ts";
