/** When a server is started again, and until when it is tried, whatever the server does. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { SeededRandom } from "../../random/index.ts";
import { SystemClock } from "../../time/index.ts";
import { Doorkeeper } from "./doorkeeper.ts";
import { makeToken } from "./join-token.ts";
import { LogFollower } from "./log-follower.ts";
import { Mesh, type MeshParts, type MeshServer } from "./mesh.ts";

const HOUR_MS = 3_600_000;
const CLIENT_SEED = "SUAIQVRNQR7O33XJIZYAEWQMDAX2WMRQ53Q7HHU5XHXLXG5ZRF7PDG54OI";

/** One that runs until it is told to end. */
class Server implements MeshServer {
  readonly #end: PromiseWithResolvers<void> = Promise.withResolvers();
  isOver = false;

  get ended(): Promise<void> {
    return this.#end.promise;
  }

  async stop(): Promise<void> {
    this.kill();
  }

  kill(): void {
    this.isOver = true;
    this.#end.resolve();
  }
}

type OwnParts = Pick<MeshParts, "clock" | "start"> & Partial<Pick<MeshParts, "doorkeeper">>;

function meshOf(server: MeshServer, parts: OwnParts, client = 1): Mesh {
  // Nobody writes a log, and nobody looks.
  const log = { path: "/nowhere/server.log", fromBytes: 0, clock: new SimulatedTime() };
  const { clock } = parts;
  return new Mesh(
    {
      ...{ random: new SeededRandom("mesh"), token: makeToken(null), host: "127.0.0.1" },
      ...{ clientSeed: CLIENT_SEED, silenceMs: 2000, report: () => undefined },
      doorkeeper: new Doorkeeper({ clock, join: [], told: () => undefined }),
      ...parts,
      log: new LogFollower({ ...log, heard: () => undefined, turned: () => undefined }),
    },
    server,
    { client, routes: 2 },
  );
}

/** Until promises that are due have been settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("a server that ends again and again is started less and less often, also after a quiet hour", async () => {
  const clock = new SimulatedTime();
  let server = new Server();
  const start = async (): Promise<Server> => {
    server = new Server();
    return server;
  };
  const mesh = meshOf(server, { clock, start });
  clock.after(HOUR_MS, () => undefined);
  clock.step();
  const delaysMs: number[] = [];
  while (delaysMs.length < 10) {
    const endedAtMs = clock.nowMs();
    server.kill();
    await settled();
    clock.step();
    await settled();
    assert.ok(!server.isOver, "another was started");
    delaysMs.push(clock.nowMs() - endedAtMs);
  }
  const [first = 0, last = 0] = [delaysMs.at(0), delaysMs.at(-1)];
  assert.ok(first <= 50 && last >= 2500, `${delaysMs}`);
  await mesh.close();
});

test("a mesh that is closed while its server starts again ends that too", async () => {
  const clock = new SimulatedTime();
  const server = new Server();
  const starting = Promise.withResolvers<Server>();
  const mesh = meshOf(server, { clock, start: () => starting.promise });
  server.kill();
  await settled();
  clock.step();
  const closed = mesh.close();
  const late = new Server();
  starting.resolve(late);
  await closed;
  assert.ok(late.isOver);
});

test("a mesh that is closed while it waits starts no server, and tells of nobody", async () => {
  const clock = new SimulatedTime();
  const server = new Server();
  const tales: string[] = [];
  const at = "10.0.0.5:7001";
  const doorkeeper = new Doorkeeper({ clock, join: [at], told: ({ code }) => tales.push(code) });
  const start = (): Promise<Server> => assert.fail("nobody wants a server any more");
  const mesh = meshOf(server, { clock, start, doorkeeper });
  server.kill();
  await settled();
  const silent = "Error trying to connect to route (attempt 1): dial tcp 10.0.0.5:7001: refused";
  doorkeeper.heard(`[4711] 2026/01/02 03:04:05.678901 [ERR] ${silent}`);
  await mesh.close();
  clock.settle();
  await settled();
  assert.deepEqual(tales, []);
});

test("a client is not connected without end where nothing answers", async () => {
  const nobody = createServer();
  await once(nobody.listen(0, "127.0.0.1"), "listening");
  const { port } = nobody.address() as AddressInfo;
  await new Promise((resolve) => nobody.close(resolve));
  const server = new Server();
  const start = async (): Promise<string> => "it is not there";
  const mesh = meshOf(server, { clock: new SystemClock(), start }, port);
  await assert.rejects(mesh.connect("a", "test"), { code: "TRANSPORT_CONNECT_FAILED" });
  await mesh.close();
});
