import assert from "node:assert/strict";
import { test } from "node:test";
import { parsed, parsingWith } from "../../../test/support/parse/parse-rig.ts";
import { MemoryBody } from "../../../test/support/store/store-rig.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import { loadParser } from "./user-parser.ts";

/** A gopher menu: one entry a line, its fields separated by tabs. */
const GOPHER = {
  createParser: () => ({
    media: "application/gopher-menu",
    accepts: ({ media }: { readonly media: string }) => media === "application/gopher-menu",
    read: ({ bytes }: { readonly bytes: Uint8Array }) => {
      const lines = new TextDecoder().decode(bytes).trim().split("\n");
      const entries = lines.map((line) => line.split("\t"));
      return {
        title: "A menu",
        links: entries.map(([text = "", url = ""]) => ({ url, text })),
      };
    },
  }),
};

test("a parser of a module gets the documents that it accepts, before those after it", async () => {
  const name = "./gopher.js";
  const gopher = await loadParser(name, async () => GOPHER);
  const settings = { parsers: [name, "html", "text", "binary"] };
  const parsing = parsingWith(settings, { modules: new Map([[name, gopher]]) });
  const read = (type: string, text: string) => {
    const headers = [["Content-Type", type] as const];
    return parsed(
      parsing,
      { url: "http://a.test/menu/", headers },
      new MemoryBody(Buffer.from(text)),
    );
  };
  const menu = read("application/gopher-menu", "Home\t../\nMail\thttp://b.test/\n");
  assert.deepEqual([menu.parser, menu.title, menu.base], [name, "A menu", "http://a.test/menu/"]);
  assert.deepEqual(
    menu.links.map(({ url, text }) => [url, text]),
    [
      ["../", "Home"],
      ["http://b.test/", "Mail"],
    ],
  );
  assert.equal(read("text/html", "<title>x</title>").parser, "html");
});

test("a parser gets as many bytes as it asks for, a megabyte unless it does", async () => {
  const given: number[] = [];
  const own = {
    accepts: () => true,
    read: ({ bytes }: { readonly bytes: Uint8Array }) => {
      given.push(bytes.length);
      return {};
    },
  };
  for (const bytesMax of [5, 2 ** 21, undefined]) {
    const made = bytesMax === undefined ? own : { ...own, bytesMax };
    const parser = await loadParser("own", async () => ({ createParser: () => made }));
    const parsing = parsingWith({ parsers: ["own"] }, { modules: new Map([["own", parser]]) });
    const body = new MemoryBody(Buffer.alloc(2 ** 21 + 3));
    parsed(parsing, { url: "http://a.test/", headers: [] }, body);
  }
  assert.deepEqual(given, [5, 2 ** 21, 2 ** 20]);
});

test("a module that is no parser is refused with a reason", async () => {
  const modules: readonly (readonly [object, RegExp])[] = [
    [{}, /exports no function createParser/],
    [{ createParser: () => ({ accepts: () => true }) }, /has no methods accepts and read/],
    [{ createParser: () => assert.fail("planted") }, /planted/],
  ];
  for (const [module, why] of modules) {
    await assert.rejects(
      loadParser("./x.js", async () => module as never),
      (error) =>
        isCrawlError(error) && error.code === "PARSE_PARSER_UNKNOWN" && why.test(error.message),
    );
  }
});
