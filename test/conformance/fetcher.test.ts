/** All fetchers, each tested against the contract. */

import { SeededRandom } from "../../src/base/random/index.ts";
import { fetcherSuite, REAL_WORLD } from "../../src/lab/conformance/index.ts";
import { SimFetcher } from "../../src/lab/simulator/index.ts";
import { testFetcher } from "../support/fetch/http-fetching.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";
import { startScriptServer } from "./script-server.ts";

fetcherSuite("the simulated fetcher", async (scripts) => {
  const clock = new SimulatedTime();
  const places = scripts.map((_, index) => ({
    url: `http://host-${index}.example/page`,
    address: `192.0.2.${index}`,
  }));
  const web = new Map(scripts.map((script, index) => [places[index]?.url ?? "", script]));
  return {
    world: simulatedWorld(clock),
    fetcher: new SimFetcher({ clock, random: new SeededRandom("calm"), web }),
    places,
    dispose: async () => {},
  };
});

fetcherSuite("the HTTP fetcher on real sockets", async (scripts) => {
  const server = await startScriptServer(scripts);
  const fetcher = testFetcher({ keepAliveMs: 0 });
  return {
    world: REAL_WORLD,
    fetcher,
    places: server.places,
    dispose: () => {
      fetcher.close();
      return server.close();
    },
  };
});
