import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { rewriteSvg } from "./site-svg.ts";

const require = createRequire(import.meta.url);

const SVG = 'xmlns="http://www.w3.org/2000/svg"';
const safe = (link: string): string | null =>
  /^\s*(?:javascript|data):/i.test(link) ? null : link;

/** Throws if the text is not well-formed XML. */
function elementsOf(svg: string): { local: string; uri: string; attributes: string[] }[] {
  const { SaxesParser } = require("saxes");
  const parser = new SaxesParser({ xmlns: true });
  const found: { local: string; uri: string; attributes: string[] }[] = [];
  parser.on("opentag", (tag: { local: string; uri: string; attributes: object }) => {
    found.push({ ...tag, attributes: Object.keys(tag.attributes) });
  });
  parser.write(svg).close();
  return found;
}

const PAYLOADS = [
  `<svg ${SVG}><script>alert(1)</script></svg>`,
  `<x:svg xmlns:x="http://www.w3.org/2000/svg"><x:script>alert(1)</x:script></x:svg>`,
  `<svg ${SVG}><h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script></svg>`,
  `<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>`,
  `<svg ${SVG} onload="alert(1)"/>`,
  `<svg ${SVG}><g><rect ONCLICK="alert(1)"/></g></svg>`,
  `<!DOCTYPE svg [<!ENTITY e "<script>alert(1)</script>">]><svg ${SVG}>&e;</svg>`,
  `<!DOCTYPE svg [<!ENTITY e "&#60;script>alert(1)&#60;/script>">]><svg ${SVG}>&e;</svg>`,
  `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg ${SVG}/>`,
  `<!DOCTYPE svg [<!ENTITY x SYSTEM "http://evil.test/alert(1)">]><svg ${SVG}>&x;</svg>`,
  `<?xml-stylesheet type="text/xsl" href="data:text/xml,alert(1)"?><svg ${SVG}/>`,
  `<svg ${SVG}><foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject></svg>`,
  `<svg ${SVG}><a href="javascript:alert(1)"><text>x</text></a></svg>`,
  `<svg ${SVG} xmlns:l="http://www.w3.org/1999/xlink"><a l:href=" javascript:alert(1)"/></svg>`,
  `<svg ${SVG}><a><set attributeName="href" to="javascript:alert(1)"/></a></svg>`,
  `<svg ${SVG}><set attributeName="onclick" to="alert(1)"/></svg>`,
  `<svg ${SVG}><use href="data:image/svg+xml,alert(1)"/></svg>`,
  `<svg ${SVG}><style>rect{}</style></svg><script xmlns="http://www.w3.org/2000/svg">alert(1)</script>`,
  `<svg ${SVG}><g><script>alert(1)`,
  "not XML at all: alert(1)",
];

for (const payload of PAYLOADS) {
  test(`nothing is left that runs of ${payload}`, () => {
    const svg = rewriteSvg(payload, safe);
    assert.doesNotMatch(svg, /alert|<!|<\?|script/);
    for (const { local, uri, attributes } of elementsOf(svg)) {
      assert.equal(uri, "http://www.w3.org/2000/svg", local);
      assert.ok(attributes.every((name) => !/^on/i.test(name)));
    }
  });
}

test("an image keeps its drawing, and its links are rewritten", () => {
  const links: string[] = [];
  const svg = rewriteSvg(
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "y" [<!ENTITY ns "http://www.w3.org/2000/svg">]>' +
      '<svg xmlns="&ns;" xmlns:i="http://editor.test/" i:tool="2" viewBox="0 0 9 9"><title>a &lt; b &amp; "c"</title>' +
      '<style>rect{fill:url(p.png)}</style><image href="i.png"/><rect fill="url(#g)" style="mask:url(m.svg)"/>' +
      '<i:note>mine</i:note><text xml:space="preserve"><![CDATA[<d>]]></text></svg>',
    (link) => {
      links.push(link);
      return link.startsWith("#") ? link : `new-${link}`;
    },
  );
  assert.deepEqual(links.sort(), ["#g", "i.png", "m.svg", "p.png"]);
  assert.equal(
    svg,
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">' +
      "<title>a &#60; b &#38; &#34;c&#34;</title><style>rect{fill:url(&#34;new-p.png&#34;)}</style>" +
      '<image href="new-i.png"></image><rect fill="url(&#34;#g&#34;)" style="mask:url(&#34;new-m.svg&#34;)"></rect>' +
      '<text xml:space="preserve">&#60;d&#62;</text></svg>\n',
  );
});

test("what is cut off is closed where it ends, and is an image", () => {
  const svg = rewriteSvg(`<svg ${SVG}><g><rect x="1"/><rect x="2" <broken`, safe);
  assert.match(svg, /<g><rect x="1"><\/rect><\/g><\/svg>\n$/);
});
