/** The transports that exist, each held to the contract. */
import { REAL_WORLD, type TransportSubject, transportSuite } from "../../src/conformance/index.ts";
import { SystemClock } from "../../src/time/index.ts";
import { InProcessHub, InProcessTransport } from "../../src/transport/index.ts";
import { SimulatedTime, simulatedWorld } from "../support/simulated-world.ts";

transportSuite("the in-process transport", async () =>
  subjectOf(new InProcessHub(new SystemClock()), REAL_WORLD),
);

transportSuite("the in-process transport in simulated time", async () => {
  const time = new SimulatedTime();
  return subjectOf(new InProcessHub(time), simulatedWorld(time));
});

function subjectOf(hub: InProcessHub, world: TransportSubject["world"]): TransportSubject {
  return {
    world,
    connect: async (id) => new InProcessTransport(hub, id),
    close: async () => {
      for (const member of [...hub.members()]) member.close();
    },
  };
}
