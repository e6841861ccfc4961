/**
 * A small cluster of real nodes of which one lies: what the last agent sends, requests, broadcasts and
 * replies, is changed on its way with some chance; and a forger that is no member sends what it has
 * overheard of anybody, changed or as it was, under the name that the message is signed with: servers let
 * whoever has a token name any sender. Everything comes from one seed.
 */
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Random } from "../../src/base/seams/index.ts";
import { isTooLarge, type Transport } from "../../src/base/transport/index.ts";
import { open } from "../../src/cluster/messages/envelope.ts";
import type { NodeSettings } from "../../src/cluster/node/node-settings.ts";
import { Kernel, SimBackground, SimCluster, SimDisk } from "../../src/lab/simulator/index.ts";
import { entryAt, NotingAgent, SETTINGS } from "../support/cluster/noting-agents.ts";
import { altered, type Overheard, rare } from "./altered-messages.ts";

const AGENTS = 3;
const LIAR = AGENTS - 1;
const OVERHEARD_MAX = 2000;

export class LyingCluster {
  readonly kernel: Kernel;
  readonly cluster: SimCluster;
  readonly agents: NotingAgent[] = [];
  readonly disks: SimDisk[] = [];
  readonly overheard: Overheard[] = [];
  /** The last thing that was sent and is not true, for the report of a failure. */
  lastLie: Overheard | null = null;
  isLying = false;
  readonly #random: Random;
  readonly #settings: NodeSettings;

  constructor(seed: string, partition: "continue" | "fence" = "continue") {
    this.#settings = {
      ...SETTINGS,
      membership: { ...SETTINGS.membership, partition },
      slots: { ...SETTINGS.slots, ipDelayMs: 100 },
    };
    this.kernel = new Kernel({ seed });
    this.#random = new SeededRandom(`${seed}/lies`);
    this.cluster = new SimCluster(this.kernel);
    for (let number = 0; number < AGENTS; number += 1) this.#add(number);
  }

  agent(number: number): NotingAgent {
    return this.agents[number] as NotingAgent;
  }

  /** Runs until all have joined. */
  settle(): void {
    const isMet = (): boolean =>
      this.agents.every(({ node }) => node.membership.state === "active");
    this.kernel.runUntil(isMet, { stepsMax: 1e6, virtualMsMax: 60_000 });
    this.kernel.pass(2000);
  }

  /** Something that agents do and that makes them talk. */
  stir(): void {
    const random = this.#random;
    const { node } = this.agent(random.below(AGENTS));
    const host = `h${random.below(40)}.example`;
    const actions: readonly (() => void)[] = [
      () => node.found(entryAt(host, random.below(1000))),
      () => node.found(entryAt(host, random.below(1000))),
      () => node.membership.addSeeds([`http://${host}/`], () => undefined),
      () => void node.limits.take(1),
      () => this.#visit(node, `10.0.0.${random.below(4)}`),
      () => node.queries.get(`${host}/0`, host as never, () => undefined),
      () => node.queries.linksTo(`${host}/0`).next(() => undefined),
      () => node.membership.forget(`a${random.below(AGENTS)}`, () => undefined),
    ];
    actions[random.below(actions.length)]?.();
  }

  /** The forger sends something to one of the others. */
  forge(): void {
    const random = this.#random;
    const overheard = this.overheard[random.below(this.overheard.length)];
    if (overheard === undefined) return;
    const told = random.below(2) === 0 ? overheard : (rare(overheard, random) ?? overheard);
    this.lastLie = random.below(8) === 0 ? told : altered(told, this.overheard, random);
    this.send(`a${random.below(LIAR)}`, this.lastLie);
  }

  /** The forger sends this to an agent, as a message of its signer, or of somebody else. */
  send(to: string, { kind, body }: Overheard, from: string = signerOf(body)): void {
    const { network } = this.cluster;
    network.send({ from, to, purpose: "request", kind, number: network.nextNumber(), body });
  }

  #add(number: number): void {
    const id = `a${number}`;
    const disk = new SimDisk(this.kernel.random.fork(id));
    this.disks.push(disk);
    this.cluster.add(id, ({ clock, random }, transport) => {
      const own = this.#heard(transport, (told) =>
        number === LIAR ? this.#lie(told) : this.#overhear(told),
      );
      this.agents[number] = new NotingAgent({
        ...{ id, clock, random, storage: disk.mount(clock), transport: own, saved: null, pages: 0 },
        settings: this.#settings,
        ...{ bounds: { pages: 1000, bytes: 1e6, timeMs: null } },
        background: new SimBackground({ clock, random, disk }),
      });
    });
  }

  #visit(node: NotingAgent["node"], address: string): void {
    const release = node.slots.acquire(address, () => {
      this.kernel.schedule(50, release);
    });
  }

  /** What an honest agent sends and replies can be heard by the forger. */
  #heard(transport: Transport, change: (told: Overheard) => Overheard): Transport {
    return {
      self: transport.self,
      request: (to, message, timeoutMs, answered) =>
        transport.request(to, change({ ...message, isReply: false }), timeoutMs, answered),
      broadcast: (message) => transport.broadcast(change({ ...message, isReply: false })),
      serve: (kind, listener) =>
        transport.serve(kind, (from, body, respond) =>
          listener(from, body, (reply) =>
            respond(change({ kind, body: reply, isReply: true }).body),
          ),
        ),
      close: () => transport.close(),
    };
  }

  #overhear(told: Overheard): Overheard {
    // The newest replace others by chance, so that rare ones stay.
    if (this.overheard.length < OVERHEARD_MAX) this.overheard.push(told);
    else this.overheard[this.#random.below(OVERHEARD_MAX)] = told;
    return told;
  }

  #lie(told: Overheard): Overheard {
    if (!this.isLying || this.#random.below(4) > 0) return told;
    const lie = altered(told, this.overheard, this.#random);
    if (isTooLarge(lie.body)) return told;
    this.lastLie = lie;
    return lie;
  }
}

function signerOf(body: Uint8Array): string {
  const message = open(body);
  return typeof message !== "object" ? "forger" : message.sender.place.id;
}
