/**
 * The part of a wiring that runs on one thread: its components, the providers that they use, and the
 * connectors at which they are, those that join threads with lanes in place of one queue.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { AcrossThreads, ConnectorWiring, Wiring } from "../runtime/index.ts";
import type { CreditIntake } from "./credit-intake.ts";
import { LaneConnector } from "./lane-connector.ts";
import { LaneForwarder } from "./lane-forwarder.ts";
import { type Lane, type LanePlan, OWN_THREAD, planLanes, threadOf } from "./lane-plan.ts";
import { LaneReceiver } from "./lane-receiver.ts";
import { LaneSender } from "./lane-sender.ts";
import type { LaneCredit, LaneLoad, Port } from "./port.ts";

export interface ThreadSurroundings {
  readonly thread: string;
  readonly clock: Clock;
  /** This thread's end of a lane, by the lane's name. */
  readonly portOf: (lane: string) => Port<unknown, unknown>;
  /** Told of an item that cannot be encoded. */
  readonly report: (error: CrawlError) => void;
  /** Told of items that cannot be decoded. */
  readonly failed: (error: unknown) => void;
}

export function wiringOfThread(wiring: Wiring, surroundings: ThreadSurroundings): Wiring {
  const plans = planLanes(wiring);
  const part = partOf(wiring, surroundings.thread);
  const connectors = part.connectors.map((one) => joined(one, plans.get(one.id), surroundings));
  return { ...part, connectors };
}

/** What of a wiring is on one thread, its connectors as if they were there alone. */
export function partOf(wiring: Wiring, thread: string): Wiring {
  const components = wiring.components.filter((one) => threadOf(one) === thread);
  const elsewhere = wiring.components.filter((one) => threadOf(one) !== thread);
  const providers = usedBy(components, wiring);
  const connectors = idsAt(components);
  if (thread === OWN_THREAD) {
    // What nobody uses is here.
    const [others, away] = [usedBy(elsewhere, wiring), idsAt(elsewhere)];
    for (const { id } of wiring.providers) if (!others.has(id)) providers.add(id);
    for (const { id } of wiring.connectors) if (!away.has(id)) connectors.add(id);
  }
  return {
    components,
    providers: wiring.providers.filter(({ id }) => providers.has(id)),
    connectors: wiring.connectors.filter(({ id }) => connectors.has(id)),
  };
}

/** Ids of the providers that components use, by themselves or through other providers. */
function usedBy(components: Wiring["components"], { providers }: Wiring): Set<string> {
  const used = new Set(components.flatMap((one) => Object.values(one.providers ?? {})));
  // It grows while it is walked.
  for (const id of used) {
    const found = providers.find((one) => one.id === id);
    for (const one of Object.values(found?.providers ?? {})) used.add(one);
  }
  return used;
}

/** Ids of the connectors at which components are. */
function idsAt(components: Wiring["components"]): Set<string> {
  return new Set(
    components.flatMap(({ inputs = {}, outputs = {} }) => [
      ...Object.values(inputs),
      ...Object.values(outputs),
    ]),
  );
}

function joined(
  wiring: ConnectorWiring,
  plan: LanePlan | undefined,
  surroundings: ThreadSurroundings,
): ConnectorWiring {
  if (plan === undefined) return wiring;
  const { id, across } = wiring;
  assert(across !== undefined, "a connector that joins threads can carry its items across");
  return { id, open: () => new LaneEnds(across, plan, surroundings).connector(id) };
}

/** The ends of lanes that one connector has on one thread. */
class LaneEnds {
  readonly #across: AcrossThreads;
  readonly #plan: LanePlan;
  readonly #surroundings: ThreadSurroundings;

  constructor(across: AcrossThreads, plan: LanePlan, surroundings: ThreadSurroundings) {
    this.#across = across;
    this.#plan = plan;
    this.#surroundings = surroundings;
  }

  connector(id: string): LaneConnector<unknown> {
    const { thread } = this.#surroundings;
    const { home, toHome, fromHome } = this.#plan;
    const isHome = home === thread;
    const sends = toHome.find(({ from }) => from === thread);
    const receives = fromHome.find(({ to }) => to === thread);
    const receiving = isHome ? this.#home() : receives && this.#receiver(receives);
    const sending = isHome ? this.#own(receiving) : sends && this.#sender(sends);
    const { type, capacity } = this.#across;
    return new LaneConnector({
      ...{ id, type, capacity, isTee: this.#across.open(1).isTee },
      sendsOn: isHome && fromHome.length > 0,
      ...{ sending: sending ?? null, receiving: receiving ?? null },
    });
  }

  #home(): LaneReceiver<unknown> {
    const { toHome, fromHome, homeCapacity } = this.#plan;
    const receiver = this.#opened(homeCapacity);
    for (const { name } of toHome) receiver.joinPort(this.#port(name));
    const { clock } = this.#surroundings;
    for (const lane of fromHome) {
      new LaneForwarder(receiver.openOutlet(`thread ${lane.to}`), this.#sender(lane), clock);
    }
    return receiver;
  }

  #own(receiver: LaneReceiver<unknown> | undefined): CreditIntake<unknown> | undefined {
    const { ownShare } = this.#plan;
    return ownShare === 0 ? undefined : receiver?.joinLocal(ownShare);
  }

  #receiver({ name, capacity }: Lane): LaneReceiver<unknown> {
    const receiver = this.#opened(capacity);
    receiver.joinPort(this.#port(name));
    return receiver;
  }

  #sender({ name, capacity }: Lane): LaneSender<unknown> {
    const { clock, report } = this.#surroundings;
    const { type } = this.#across;
    const port: Port<LaneLoad, LaneCredit> = this.#port(name);
    return new LaneSender({ type, capacity, port, clock, report });
  }

  #opened(capacity: number): LaneReceiver<unknown> {
    const inner = this.#across.open(capacity);
    return new LaneReceiver({ inner, failed: this.#surroundings.failed });
  }

  /** Both ends of a lane are opened by the same plan, so that what one posts the other understands. */
  #port<Posted, Received>(lane: string): Port<Posted, Received> {
    return this.#surroundings.portOf(lane) as unknown as Port<Posted, Received>;
  }
}
