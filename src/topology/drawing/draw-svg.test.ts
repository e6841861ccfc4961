import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { CRAWL_TOPOLOGY, graphFrom, hostileGraph } from "./crawl-graph.fixture.ts";
import { drawSvg } from "./draw-svg.ts";

const require = createRequire(import.meta.url);

/** The package declares types that the compiler's checks of libraries refuse. */
const { SaxesParser } = require("saxes") as {
  readonly SaxesParser: new () => {
    on(event: "error", heard: (error: Error) => void): void;
    on(event: "text", heard: (text: string) => void): void;
    on(
      event: "opentag",
      heard: (tag: { name: string; attributes: Readonly<Record<string, string>> }) => void,
    ): void;
    write(text: string): { close(): void };
  };
};

interface Drawn {
  readonly tags: readonly string[];
  readonly texts: readonly string[];
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** Throws if the text is not well-formed XML. */
function read(svg: string): Drawn {
  const parser = new SaxesParser();
  const tags: string[] = [];
  const texts: string[] = [];
  const attributes: [string, string][] = [];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => {
    tags.push(tag.name);
    attributes.push(...Object.entries(tag.attributes));
  });
  parser.on("text", (text) => texts.push(text));
  parser.write(svg).close();
  return { tags, texts, attributes };
}

const count = (drawn: Drawn, wanted: string): number =>
  drawn.attributes.filter(([name, value]) => name === "class" && value === wanted).length;

test("components are ellipses, connectors rectangles with cells, providers cylinders", async () => {
  const drawn = read(drawSvg(await graphFrom(CRAWL_TOPOLOGY)));
  assert.equal(drawn.tags.filter((tag) => tag === "ellipse").length, 5);
  assert.equal(count(drawn, "connector"), 4);
  // A cylinder has a body and a rim.
  assert.equal(count(drawn, "provider"), 2 * 2);
  assert.equal(count(drawn, "provides"), 2);
  for (const text of ["download × 5", "pages (50)", "addressResolver", "cached"]) {
    assert.ok(drawn.texts.includes(text), text);
  }
});

test("an open arrow head marks what leaves its thread", async () => {
  const drawn = read(drawSvg(await graphFrom(CRAWL_TOPOLOGY)));
  const heads = drawn.attributes.filter(([name]) => name === "marker-end").map(([, head]) => head);
  assert.equal(heads.filter((head) => head === "url(#open)").length, 2);
  assert.equal(heads.filter((head) => head === "url(#full)").length, 7);
});

test("every shape and every label lies inside of the picture", async () => {
  const drawn = read(drawSvg(await graphFrom(CRAWL_TOPOLOGY)));
  const size = (name: string) => Number(drawn.attributes.find(([one]) => one === name)?.[1]);
  const along = (names: readonly string[]) =>
    drawn.attributes.flatMap(([name, value]) => (names.includes(name) ? [Number(value)] : []));
  for (const x of along(["x", "cx"])) assert.ok(x >= 0 && x <= size("width"), String(x));
  for (const y of along(["y", "cy"])) assert.ok(y >= 0 && y <= size("height"), String(y));
});

test("hostile names are text: no element, attribute or reference comes from them", async () => {
  const { tags, attributes, texts } = read(drawSvg(await hostileGraph()));
  const known = [
    ...["svg", "title", "style", "defs", "marker", "path", "rect", "g", "ellipse", "text"],
  ];
  assert.deepEqual(
    [...new Set(tags)].filter((tag) => !known.includes(tag)),
    [],
  );
  assert.ok(attributes.every(([name]) => !name.startsWith("on") && !name.includes("href")));
  assert.ok(texts.some((text) => text.includes("<script>alert(1)</script>")));
});

test("a name that is too long for its shape is cut there and whole in the tooltip", async () => {
  const { texts } = read(drawSvg(await hostileGraph()));
  assert.ok(texts.some((text) => /^x{39}…$/.test(text)));
  assert.ok(texts.some((text) => text.includes("x".repeat(5000))));
});
