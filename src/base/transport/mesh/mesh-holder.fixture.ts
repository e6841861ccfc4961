/** A process with a part in a mesh, for tests that kill it. It writes a line when it is ready. */
import { SeededRandom } from "../../random/index.ts";
import { SystemClock } from "../../time/index.ts";
import { openMesh } from "./open-mesh.ts";

const [, , directory = ""] = process.argv;

await openMesh({
  ...{
    directory,
    environment: process.env,
    listen: null,
    join: [],
    token: null,
    crawl: null,
    program: null,
  },
  ...{ clock: new SystemClock(), random: new SeededRandom("holder"), report: () => undefined },
});
process.stdout.write("ready\n");
