import assert from "node:assert/strict";
import { test } from "node:test";
import { MistakeList, renderMistakes } from "../../rules/settings/index.ts";
import { check } from "./checked.fixture.ts";
import { readXmlTopology } from "./read-xml-topology.ts";

const GOOD = `<?xml version="1.0" encoding="utf-8" ?>
<!-- Numbers are named and printed. -->
<CrawlerSetup>
  <Providers>
    <Provider id="Names" type="Test.Names, Tests" />
    <Provider id="Cache" type="Test.CachedNames, Tests">
      <Providers>
        <Provider role="Behind" provider="reference:Names" />
      </Providers>
    </Provider>
  </Providers>
  <Connectors>
    <LocalConnector id="Numbers" type="test/count" capacity="10" />
    <LocalConnector id="Texts" type="test/text" kind="tee"></LocalConnector>
  </Connectors>
  <Components>
    <Component id="Counter" type="Test.Numbers, Tests" sink="Numbers" />
    <Component id="Naming" type="Test.Named, Tests" instances="3"
      source="reference:Numbers" sink="reference:Texts" onFailure="restart">
      <Properties>
        <Property name="Prefix" value="no. &quot;&#x31;&quot;" />
        <Property name="width" value="4" />
      </Properties>
      <Providers>
        <Provider role="Naming" provider="reference:Cache" />
      </Providers>
    </Component>
    <Component id="Printer" type="Test.Printer, Tests" source="Texts" />
    <Component id="Second" type="printer">
      <Sources><Source role="input" connector="reference:Texts" /></Sources>
    </Component>
  </Components>
</CrawlerSetup>
`;

test("the XML form gives the same wiring as YAML", async () => {
  const { topology, text } = await check(GOOD, "topology.xml");
  assert.ok(topology !== null, text);
  const yaml = await check(`
providers:
  Names: { unit: names }
  Cache: { unit: cached-names, providers: { behind: Names } }
connectors:
  Numbers: { type: test/count, capacity: 10 }
  Texts: { type: test/text, kind: tee }
components:
  Counter: { unit: numbers, output: Numbers }
  Naming:
    unit: named
    instances: 3
    onFailure: restart
    input: Numbers
    output: Texts
    settings: { prefix: 'no. "1"', width: 4 }
    providers: { naming: Cache }
  Printer: { unit: printer, input: Texts }
  Second: { unit: printer, input: Texts }
`);
  assert.ok(yaml.topology !== null, yaml.text);
  assert.deepEqual(topology.wiring.components, yaml.topology.wiring.components);
  assert.deepEqual(topology.wiring.providers, yaml.topology.wiring.providers);
  const [numbers, texts] = await Promise.all(topology.wiring.connectors.map(({ open }) => open()));
  assert.deepEqual([numbers?.capacity, numbers?.isTee, texts?.isTee], [10, false, true]);
});

test("a file is XML by its name or by how it begins", async () => {
  assert.equal((await check(GOOD, "topology")).text, "");
  assert.equal((await check(`\ufeff${GOOD}`, "topology.xml")).text, "");
  assert.match((await check("", "topology.xml")).text, /topology\.xml:1:1: .*XML/);
  assert.equal((await check(GOOD.replaceAll("\n", "\r\n"), "topology.xml")).text, "");
});

const FIGURE_A1_CONNECTORS = `<CrawlerSetup>
  <Connectors>
    <RemoteConnector id="HyperlinksToDownload" type="System.Uri"
      capacity="100" bindingAddress="tcp://localhost:1160" />
    <RemoteConnector id="HyperlinksExtracted" type="System.Uri"
      capacity="100"
      recipientAddress="tcp://localhost:5050"
      identifier="efd335bd-0d47-4ed9-8123-41bce76730e5"
      replyAddress="tcp://localhost:1160">
    </RemoteConnector>
  </Connectors>
</CrawlerSetup>
`;

test("a remote connector has its addresses as settings, each with its place", () => {
  const mistakes = new MistakeList();
  const read = readXmlTopology(FIGURE_A1_CONNECTORS, "a.xml", mistakes);
  assert.equal(renderMistakes(mistakes.sorted(), 0), "0 mistakes:");
  const shown = read?.connectors.map(({ id, kind, settings }) => [
    id.text,
    kind?.text,
    ...settings.entries.map(({ key, value }) => {
      const { location } = value;
      const place = location.kind === "file" ? `${location.line}:${location.column}` : "";
      return `${key}=${value.kind === "scalar" ? value.text : ""} at ${place}`;
    }),
  ]);
  assert.deepEqual(shown, [
    [
      ...["HyperlinksToDownload", "remote", "capacity=100 at 4:17"],
      "listen=localhost:1160 at 4:38",
    ],
    [...["HyperlinksExtracted", "remote", "capacity=100 at 6:17"], "to=localhost:5050 at 7:25"],
  ]);
});

/** What is planted into the good one, and what is said of it. */
const MISTAKES: readonly [planted: [before: string, after: string], said: RegExp][] = [
  [["<CrawlerSetup>", "<Crawler>"], /not well-formed XML: unexpected close tag/],
  [["</CrawlerSetup>", ""], /not well-formed XML: unclosed tag: CrawlerSetup/],
  [['id="Names"', "id=Names"], /:5:18: this is not well-formed XML: unquoted attribute value/],
  [['id="Names"', 'id="Names" id="Names"'], /not well-formed XML: duplicate attribute: id/],
  [['id="Names"', 'id="&names;"'], /:5:2\d: this is not well-formed XML: undefined entity/],
  [['id="Names"', 'id="<"'], /not well-formed XML: disallowed character/],
  [
    ["<!-- Numbers", '<!DOCTYPE x [<!ENTITY a "aaaa">]><!-- Numbers'],
    /:2:1: a doctype is not used in a topology, and neither are entities/,
  ],
  [["<!-- Numbers", "<?xml-stylesheet href='x'?><!-- Numbers"], /:2:1: processing instructions/],
  [["  <Connectors>", "  <Connectors>text"], /:12:15: text between elements is not used/],
  [["  <Connectors>", "  <Connectors><![CDATA[x]]>"], /text between elements is not used/],
  [['encoding="utf-8"', 'encoding="utf-16"'], /:1:1: the file must be UTF-8/],
  [["  <Connectors>", `  <Connectors>${"<a>".repeat(20)}`], /deeper than 16 levels/],
  [
    ["<Connectors>", "<Conectors/>\n  <Connectors>"],
    /:12:4: Conectors is not an element of CrawlerSetup; .*did you mean Connectors\?/,
  ],
  [["<Connectors>", "<Providers/>\n  <Connectors>"], /:12:4: Providers is given twice in Crawler/],
  [["<LocalConnector id", "<Connector id"], /:13:6: Connector is not an element of Connectors/],
  [['type="test/count" ', ""], /:13:6: LocalConnector has no type/],
  [['id="Numbers" ', ""], /:13:6: LocalConnector has no id/],
  [['id="Numbers"', 'id=""'], /:13:25: id must be a single name/],
  [
    ['capacity="10"', 'capacty="10"'],
    /:13:\d+: capacty is not an attribute of LocalConnector; .*\?/,
  ],
  [['capacity="10"', 'capacity="ten"'], /:13:62: capacity: "ten" is not/],
  [['kind="tee"', 'kind="tie"'], /:14:55: tie is not a known kind of connector/],
  [["test/count", "System.Uri"], /:13:40: url is not a known type of items/],
  [["Test.Named,", "Test.Nammed,"], /:18:34: nammed is not a known unit; .*did you mean named\?/],
  [["reference:Numbers", "reference:Nubmers"], /:19:15: Nubmers is not a known connector; .*Numb/],
  [['source="reference:Numbers" ', ""], /:18:20: Naming has nothing bound to its input input/],
  [['source="reference:Numbers"', 'source="Texts"'], /:19:15: Texts carries test\/text, but input/],
  [['role="Naming"', 'role="Nameing"'], /:25:25: nameing is not a role of providers of Naming/],
  [["reference:Cache", "reference:Cahce"], /:25:43: Cahce is not a known provider; .*Cache\?/],
  [['provider="reference:Names"', ""], /:8:10: Provider has no provider/],
  [["reference:Names", "Cache"], /:6:19: Cache uses itself in a circle of providers/],
  [['name="width" value="4"', 'name="Widht" value="4"'], /:22:25: "widht" is not a key of Naming/],
  [['name="width" value="4"', 'name="width" value="40"'], /:22:39: width: "40" is too large/],
  [['name="width" value="4"', 'name="width"'], /:22:10: Property has no value/],
  [['instances="3"', 'instances="-3"'], /:18:\d+: instances: "-3" is not a number of instances/],
  [['onFailure="restart"', 'onFailure="retry"'], /:19:\d+: onFailure: "retry" is none of the/],
  [['id="Second"', 'id="Printer"'], /Printer is the id of two units or connectors/],
  [
    ['type="Test.Names, Tests"', 'type="names" shared="perhaps"'],
    /:5:\d+: .*"perhaps" does not say/,
  ],
  [["<Source role", "<Sourc role"], /Sourc is not an element of Sources; .*did you mean Source\?/],
  [
    ["<Providers>", '<Modules><Module name="./nowhere.js"/></Modules><Providers>'],
    /nowhere\.js cannot/,
  ],
];

for (const [[before, after], said] of MISTAKES) {
  test(`it is told that ${JSON.stringify(after.slice(0, 60))} is wrong, and where`, async () => {
    assert.ok(GOOD.includes(before), "the mistake is planted");
    const { topology, text } = await check(GOOD.replace(before, after), "topology.xml");
    assert.equal(topology, null);
    assert.match(text, said);
    assert.match(text, /topology\.xml:\d+:\d+: /);
  });
}

test("all mistakes of an XML topology are told at once, in the order of their places", async () => {
  const bad = GOOD.replace("Test.Named,", "Test.Nammed,")
    .replace('capacity="10"', 'capacity="0"')
    .replace('role="Behind"', 'role="Before"')
    .replace('id="Printer"', 'id="Printer" colour="red"');
  const { text } = await check(bad, "topology.xml");
  const places = text
    .split("\n")
    .slice(1)
    .map((line) => Number(/:(\d+):/.exec(line)?.[1]));
  assert.deepEqual(places, [6, 8, 13, 18, 28], text);
});
