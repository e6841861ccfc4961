import assert from "node:assert/strict";
import { test } from "node:test";
import { kebabName } from "./type-names.ts";

test("the last name of a type is meant, in kebab case", () => {
  const names: readonly [type: string, name: string][] = [
    ["Crawler.HtmlParser, CrawlerClient", "html-parser"],
    ["Crawler.MSSQLClientDataProvider, CrawlerClient", "mssql-client-data-provider"],
    ["Crawler.DnsResolver,CrawlerClient, Version=1.0.0.0", "dns-resolver"],
    ["Downloader", "downloader"],
    ["Outer+Inner", "inner"],
    ["Utf8Reader2", "utf8-reader2"],
    ["html-parser", "html-parser"],
    ["./units.js#parser", "./units.js#parser"],
    ["test/count", "test/count"],
    ["", ""],
  ];
  for (const [type, name] of names) assert.equal(kebabName(type), name, type);
});
