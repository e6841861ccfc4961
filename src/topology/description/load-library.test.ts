import assert from "node:assert/strict";
import { test } from "node:test";
import { itemType } from "../items/index.ts";
import { sink } from "../unit/index.ts";
import { check } from "./checked.fixture.ts";
import { libraryOf, loadTopology } from "./index.ts";

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

test("a module that throws no error is refused like any other", async () => {
  for (const thrown of ["null", "{ toString: null }", "Object.create(null)"]) {
    const { text } = await check(`use: ["${module(`throw ${thrown};`)}"]\n`);
    assert.match(text, /cannot be loaded as a module: (null|something that cannot be shown)\./);
  }
});

test("units that a program lends are looked at like those of modules", async () => {
  const lent = sink({
    name: "lent",
    input: itemType("a/b"),
    inFlightMax: 0,
    create: () => () => {},
  });
  const importUnits = async () => ({});
  const loading = loadTopology("components: { one: { unit: lent, input: x } }", {
    ...{ path: "topology.yaml", library: libraryOf([lent]), importUnits },
  });
  await assert.rejects(loading, /lent is not a whole unit: its inFlightMax is not/);
});
