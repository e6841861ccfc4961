/** Agents' parts of a mesh for tests: real servers on loopback, in folders of their own. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeededRandom } from "../../../src/base/random/index.ts";
import { SystemClock } from "../../../src/base/time/index.ts";
import {
  type Answer,
  type Mesh,
  type MeshEvent,
  type MeshOptions,
  openMesh,
  type ServedTransport,
  type Transport,
} from "../../../src/base/transport/index.ts";

const PATIENCE_MS = 20_000;
const HELLO = "mesh.hello";

export class MeshRig implements AsyncDisposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "trobar-mesh-"));
  readonly clock: SystemClock = new SystemClock();
  /** `NAME KIND`, as they come. */
  readonly events: string[] = [];
  readonly #meshes = new Set<Mesh>();
  readonly #waiting = new Set<() => void>();

  /** The part of one agent, whose files are in the folder of its name. */
  async open(name: string, options: Partial<MeshOptions> = {}): Promise<Mesh> {
    const mesh = await openMesh({
      ...{ directory: this.pathOf(name), listen: null, join: [], token: null, crawl: null },
      ...{ environment: { XDG_STATE_HOME: join(this.folder, "state") }, program: null },
      clock: this.clock,
      random: new SeededRandom(name),
      report: ({ kind }: MeshEvent) => {
        this.events.push(`${name} ${kind}`);
        for (const look of this.#waiting) look();
      },
      ...options,
    });
    this.#meshes.add(mesh);
    return mesh;
  }

  pathOf(name: string): string {
    return join(this.folder, name);
  }

  logOf(name: string): string {
    return readFileSync(join(this.pathOf(name), "server.log"), "utf8");
  }

  /** The process number of an agent's server. */
  serverOf(name: string): number {
    return Number(readFileSync(join(this.pathOf(name), "server.pid"), "utf8"));
  }

  /** Resolves when an event has come as often as this. */
  event(text: string, times = 1): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.events.filter((event) => event === text).length < times) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Looks again and again: servers do not tell when they have heard of each other. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const endAtMs = this.clock.nowMs() + PATIENCE_MS;
    while (!(await isSo())) {
      if (this.clock.nowMs() > endAtMs) throw new Error(`still not so: ${isSo}`);
      await new Promise<void>((resolve) => this.clock.after(5, resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#meshes].map((mesh) => mesh.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function greet(transport: Transport): void {
  transport.serve(HELLO, (_from, body, respond) => respond(body));
}

/** Agents that greet: resolves when each can reach each. */
export async function allReached(
  rig: MeshRig,
  transports: readonly ServedTransport[],
): Promise<void> {
  for (const from of transports) {
    for (const to of transports) {
      await rig.until(async () => (await hello(from, to.self)).kind === "reply");
    }
  }
}

export function hello(from: Transport, to: string): Promise<Answer> {
  const message = { kind: HELLO, body: new Uint8Array(0) };
  return new Promise((resolve) => from.request(to, message, 1000, resolve));
}
