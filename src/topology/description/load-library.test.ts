import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "./checked.fixture.ts";

/** A module with this text, as `use` may name it. */
function module(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

const WHOLE =
  "inputs: {}, outputs: {}, providers: {}, settings: {}, metrics: {}, inFlightMax: 1, create() {}";

test("names of types in an XML file mean what a module's `types` says", async () => {
  const lent = module(
    `export const types = { "Old.Name, Assembly": "mine", "Some.Text": "test/text", bad: 1 };
     export const mine = { kind: "sink", name: "mine", ${WHOLE} };`,
  );
  const { topology, text } = await check(
    `<CrawlerSetup>
       <Modules><Module name="${lent}" /></Modules>
       <Connectors>
         <LocalConnector id="t" type="Some.Text" />
         <LocalConnector id="n" type="test/count" />
       </Connectors>
       <Components>
         <Component id="one" type="Old.Name, Assembly" />
         <Component id="two" type="${lent}#mine" />
         <Component id="named" type="Named" source="n" sink="t">
           <Providers><Provider role="naming" provider="names" /></Providers>
         </Component>
         <Component id="printer" type="printer" source="t" />
         <Component id="numbers" type="numbers" sink="n" />
       </Components>
       <Providers><Provider id="names" type="A.B+Names" /></Providers>
     </CrawlerSetup>`,
    "topology.xml",
  );
  assert.ok(topology !== null, text);
  assert.deepEqual(
    topology.wiring.components.map(({ definition }) => definition.name),
    ["mine", "mine", "named", "printer", "numbers"],
  );
});

/** What a unit lacks, and what is said of it. */
const BROKEN: readonly [unit: string, said: RegExp][] = [
  [`{ kind: "sink", create() {} }`, /is not a whole unit: its name is not a text/],
  [
    `{ kind: "sink", name: "mine", create() {} }`,
    /mine is not a whole unit: its providers are not/,
  ],
  [`{ kind: "sink", name: "mine", ${WHOLE}, inputs: null }`, /its inputs are not an object/],
  [`{ kind: "sink", name: "mine", ${WHOLE}, outputs: { a: "url" } }`, /its outputs are not types/],
  [`{ kind: "sink", name: "mine", ${WHOLE}, providers: { a: 1 } }`, /its providers are not roles/],
  [`{ kind: "sink", name: "mine", ${WHOLE}, settings: { a: null } }`, /its settings are not keys/],
  [`{ kind: "provider", name: "mine", ${WHOLE} }`, /its role is not declared/],
];

for (const [unit, said] of BROKEN) {
  test(`a module with the unit ${unit} is refused`, async () => {
    const lent = module(`export const mine = ${unit};`);
    const { text } = await check(`use: ["${lent}"]\n`);
    assert.match(text, said);
    assert.match(text, /topology\.yaml:1:7: /);
    const named = await check(`components:\n  one: { unit: "${lent}#mine" }\n`);
    assert.match(named.text, said);
  });
}
