/** The connectors that exist, each held to the contract. */

import { type ConnectorSubject, connectorSuite } from "../../src/lab/conformance/index.ts";
import { LocalConnector, PriorityLine } from "../../src/topology/connector/index.ts";
import { codec, itemType } from "../../src/topology/items/index.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";

const Count = itemType("test/count", codec.count);

connectorSuite("the local connector", async (options) => local(new LocalConnector(Count, options)));

connectorSuite("the connector by priority, where all are equal,", async (options) => {
  const openLine = () => new PriorityLine<number>(() => 0);
  return local(new LocalConnector(Count, { ...options, openLine }));
});

function local(connector: LocalConnector<number>): ConnectorSubject {
  const time = new SimulatedTime();
  return {
    world: simulatedWorld(time),
    producers: connector,
    consumers: connector,
    refuses: true,
    later: (task) => void time.after(0, task),
    close: async () => undefined,
  };
}
