import assert from "node:assert/strict";
import { test } from "node:test";
import { describeLocation, MistakeList, renderMistakes } from "../../rules/settings/index.ts";
import { readXml, type XmlElement } from "./read-xml.ts";

function read(text: string): { readonly root: XmlElement | null; readonly said: string } {
  const mistakes = new MistakeList();
  const at = (line: number, column: number) => ({ kind: "file", path: "x", line, column }) as const;
  const root = readXml(text, at, mistakes);
  return { root, said: root === null ? renderMistakes(mistakes.sorted(), 0) : "" };
}

function places(element: XmlElement): string[] {
  const shown = ({ text, location }: XmlElement["name"]) => `${text} ${describeLocation(location)}`;
  return [
    shown(element.name),
    ...element.attributes.flatMap(({ name, value }) => [shown(name), shown(value)]),
    ...element.children.flatMap(places),
  ];
}

test("every element, attribute and value has its line and column", () => {
  const { root, said } = read(
    `<?xml version="1.0"?>\n<a one = '1'\r\n\ttwo="&lt;2&gt;"\tthree='"'>\r  <b/><c\nx=""></c ></a>`,
  );
  assert.ok(root !== null, said);
  assert.deepEqual(places(root), [
    ...["a x:2:2", "one x:2:4", "1 x:2:11", "two x:3:2", "<2> x:3:7", "three x:3:18"],
    ...['" x:3:25', "b x:4:4", "c x:4:8", "x x:5:1", " x:5:4"],
  ]);
});

test("names that mean something to JavaScript mean nothing here", () => {
  const { root } = read('<a __proto__="1" constructor="2"><__proto__ toString="3"/></a>');
  assert.deepEqual(
    root?.attributes.map(({ name, value }) => [name.text, value.text]),
    [
      ["__proto__", "1"],
      ["constructor", "2"],
    ],
  );
  assert.equal(root?.children[0]?.name.text, "__proto__");
});

/** What is refused, each at its place. */
const REFUSED: readonly [text: string, said: RegExp][] = [
  ["", /not well-formed XML|there is no element/],
  ["<a>", /unclosed tag: a/],
  ["<a/><b/>", /documents may contain only one root/],
  ["<a>&lol9;</a>", /undefined entity/],
  ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', /x:1:1: a doctype is not used/],
  ['\n <!DOCTYPE a [<!ENTITY b "&b;&b;">]><a>&b;</a>', /x:2:2: a doctype is not used/],
  ["<a>x</a>", /text between elements/],
  ["<a>\u0000</a>", /disallowed character/],
  ["<a><![CDATA[ x ]]></a>", /text between elements/],
  [`${"<a>".repeat(1000)}`, /x:1:50: the nesting is deeper than 16 levels/],
  [`<a>${"<b/>".repeat(100_001)}</a>`, /more than 100000 parts/],
];

for (const [text, said] of REFUSED) {
  test(`${JSON.stringify(text.slice(0, 50))} is refused`, () => {
    const { root, said: found } = read(text);
    assert.equal(root, null);
    assert.match(found, said);
    assert.match(found, /^1 mistake:\n {2}x:\d+:\d+: /);
  });
}
