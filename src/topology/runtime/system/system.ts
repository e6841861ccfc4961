/**
 * A topology that runs: providers, connectors and components, made in this order and ended in the
 * reverse one. Everything can be looked at, and changed while it runs; a change is refused, or carried
 * out around a pause of those whom it concerns, with no item lost or doubled. Changes are made one after
 * another, and each of them ends: one that waits too long for an author's code is refused, and leaves
 * everything as it was.
 *
 * All changes are promises: nothing here is on the way of an item.
 */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Clock } from "../../../base/seams/index.ts";
import { exchangeConnector } from "../changes/exchange-connector.ts";
import { misfitsOf, misfitsOfProvider } from "../changes/fit.ts";
import { whileSuspended } from "../changes/while-suspended.ts";
import { itemText } from "../instances/item-text.ts";
import { Turns } from "../instances/turns.ts";
import type { UnitSettings } from "../settings/unit-settings.ts";
import type { ComponentUnit } from "../units/component-unit.ts";
import { Patience } from "../units/patience.ts";
import { refused, unitFault } from "../units/refusal.ts";
import type { UnitSurroundings } from "../units/surroundings.ts";
import type { ConnectorWiring, ProviderWiring, Wiring } from "../wiring.ts";
import { Assembly } from "./assembly.ts";
import { Inventory } from "./inventory.ts";
import { Leftovers } from "./leftovers.ts";
import { inOrderOfUse } from "./provider-order.ts";
import { SharedProviders } from "./shared-providers.ts";
import { type Bindable, type ConnectorStatus, connectorStatus, type UnitStatus } from "./status.ts";

const PATIENCE_MS = 30_000;
/** How often it is looked whether everything has come to rest. */
const LOOK_MS = 10;

/** What follows the end of a topology: nothing, or another life of it. */
export type Ending = "over" | "paused";

export interface SystemParts {
  readonly clock: Clock;
  /** How long a change waits for items in flight, and for the `create` and `close` of a unit; 30 s. */
  readonly patienceMs?: number;
  /** What it has in common with other systems of this process; nothing unless given. */
  readonly shared?: SharedProviders;
  /** Told of what went wrong in a unit and ended one item of it. */
  readonly report: (error: CrawlError) => void;
  /** Told once, when a unit whose policy is to stop has failed. Nothing runs any more by then. */
  readonly failed: (error: CrawlError) => void;
  /** Told once, when every component has finished. */
  readonly finished: () => void;
}

export class System {
  readonly #parts: SystemParts;
  readonly #surroundings: UnitSurroundings;
  readonly #turns: Turns;
  readonly #shared: SharedProviders;
  readonly #all = new Inventory();
  readonly #leftovers = new Map<string, Leftovers>();
  readonly #assembly: Assembly;
  #changing: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | null = null;
  #hasStarted = false;
  #hasFailed = false;
  /** Whether what is in flight may still come to its end. */
  #isHopeful = true;
  #hasFinished = false;

  constructor(parts: SystemParts) {
    const { clock, report, patienceMs = PATIENCE_MS, shared = new SharedProviders() } = parts;
    this.#parts = parts;
    this.#shared = shared;
    this.#turns = new Turns(clock);
    this.#surroundings = {
      ...{ clock, report, patience: new Patience(clock, patienceMs) },
      providerOf: (id) => this.#all.provider(id),
    };
    this.#assembly = new Assembly(this.#all, {
      ...{ shared, surroundings: this.#surroundings, turns: this.#turns },
      stop: (error) => this.#fail(error),
      changed: (component) => this.#changed(component),
    });
  }

  /** Makes everything; nothing runs before `start`. What was made is ended again if a unit fails. */
  async open(wiring: Wiring): Promise<void> {
    try {
      await this.#assembly.make(wiring);
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
  }

  start(): void {
    this.#hasStarted = true;
    for (const component of this.#all.components.values()) component.resume();
  }

  /**
   * Takes nothing more, anywhere, and never again: the whole has failed. What is in flight ends, unless
   * it is known that it never will: `close` does not wait for it then.
   */
  halt(isHopeful = true): void {
    this.#hasFailed = true;
    this.#isHopeful = isHopeful;
    for (const component of this.#all.components.values()) component.suspend();
  }

  /**
   * Suspends what has no inputs, and lets everything that is inside come to its end. Resolves when all
   * are at rest, or too much time has passed, with the number of items that are left inside.
   */
  async drain(): Promise<number> {
    const { clock, patience } = this.#surroundings;
    const components = [...this.#all.components.values()];
    for (const one of components) if (!one.hasInputs) one.suspend();
    const endsAtMs = clock.nowMs() + patience.limitMs;
    const isAtRest = () => this.#turns.isIdle && components.every(({ isAtRest: one }) => one);
    while (!isAtRest() && clock.nowMs() < endsAtMs) {
      await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    }
    const inside = components.map(({ inFlight, waitingOut }) => inFlight + waitingOut);
    const waiting = [...this.#all.connectors.values()].filter(({ leadsOut }) => leadsOut !== true);
    return sum([...inside, ...waiting.map(({ length }) => length)]);
  }

  /**
   * Suspends everything, waits for what is in flight, and ends all in the reverse order of its making.
   * Items that are inside are dropped; `drain` first lets them through. Work that does not come to its
   * end in time is reported and left alone. `over`: consumers in other processes hear that nothing more
   * will come, unless this has failed; otherwise they wait for the next life of this topology.
   */
  async close(ending: Ending = "paused"): Promise<void> {
    this.#closing ??= this.#close(ending);
    await this.#closing;
  }

  units(): UnitStatus[] {
    return this.#all.units();
  }

  connectors(): ConnectorStatus[] {
    return Array.from(this.#all.connectors, ([id, connector]) => {
      return connectorStatus(id, connector, this.#leftovers.get(id)?.dropped ?? 0);
    });
  }

  /** What new units may be bound to: providers with their roles, connectors with their types. */
  bindable(): Bindable {
    return this.#all.bindable();
  }

  /** The settings of a unit, to be read, and for their schema. */
  settingsOf(id: string): UnitSettings {
    return this.#all.unit(id).settings;
  }

  /** A unit that does not take the values while it runs is made anew; illegal ones are refused. */
  async changeSettings(id: string, values: ReadonlyMap<string, unknown>): Promise<void> {
    await this.#inTurn(async () => {
      const settings = this.settingsOf(id);
      const revert = settings.change(values, id);
      try {
        if (!settings.isLive(values.keys())) await this.#renew(id);
        else if (!this.#all.components.has(id)) await this.#all.provider(id).settingsChanged();
      } catch (thrown) {
        revert();
        throw thrown;
      }
    });
  }

  /** Resolves when none of its items is in flight; its status tells if that took too long. */
  async suspend(id: string): Promise<void> {
    const component = this.#all.component(id);
    component.suspend();
    await this.#surroundings.patience.wait(component.quiet());
  }

  resume(id: string): void {
    const component = this.#all.component(id);
    if (this.#hasFailed || this.#closing !== null) throw refused("it has come to its end");
    component.resume();
  }

  async setInstances(id: string, count: number): Promise<void> {
    if (!Number.isSafeInteger(count)) {
      throw refused(
        `the number of instances of ${id} must be a whole number, not ${itemText(count)}`,
      );
    }
    if (count < 1) throw refused(`${id} cannot have ${count} instances: the least is 1`);
    await this.#inTurn(() => this.#all.component(id).setInstances(count));
  }

  /** Puts another implementation behind a provider's id; its users wait meanwhile. */
  async swapProvider(wiring: ProviderWiring): Promise<void> {
    await this.#inTurn(async () => {
      const provider = this.#all.provider(wiring.id);
      const [before, after] = [provider.definition.provides.name, wiring.definition.provides.name];
      if (before !== after) throw refused(`${wiring.id} provides ${before}, not ${after}`);
      refuseMisfits(misfitsOfProvider(wiring, this.#all.around));
      // Refuses a circle before anything is touched.
      inOrderOfUse([...this.#all.providerWirings().filter(({ id }) => id !== wiring.id), wiring]);
      await this.#whileUsersWait(wiring.id, () => provider.replace(wiring));
    });
  }

  /** Puts another connector behind an id, with all that is in the old one. */
  async swapConnector({ id, open }: ConnectorWiring): Promise<void> {
    await this.#inTurn(async () => {
      const before = this.#all.connector(id);
      const ends = this.#all.endsOf(id);
      await exchangeConnector({
        ...{ id, before, open, isTaken: this.#all.consumersOf(id).size > 0 },
        put: (after) => {
          this.#all.connectors.set(id, after);
          for (const component of ends) component.reconnect(id);
          this.#leftovers.get(id)?.reconnect(after);
        },
        whileSuspended: (change) => whileSuspended(ends, change),
      });
    });
  }

  /** Adds units to the running topology, and starts the components among them: all of them, or none. */
  async add(wiring: Wiring): Promise<void> {
    await this.#inTurn(async () => {
      refuseMisfits(misfitsOf(wiring, this.#all.around));
      try {
        await this.#assembly.make(wiring);
      } catch (thrown) {
        await this.#assembly.unmake(wiring);
        throw thrown;
      }
      this.#hasFinished = false;
      for (const { id, inputs = {} } of wiring.components) {
        for (const input of Object.values(inputs)) this.#keepAgain(input);
        this.#all.component(id).resume();
      }
      for (const { outputs = {} } of wiring.components) {
        for (const output of Object.values(outputs)) this.#dropLeftovers(output);
      }
    });
  }

  /**
   * Takes out a component, once what it emitted has gone out; or a provider or connector that no unit
   * uses. What a component would have taken stays for others.
   */
  async remove(id: string): Promise<void> {
    await this.#inTurn(async () => {
      const component = this.#all.components.get(id);
      if (component === undefined) return await this.#removeUnused(id);
      await component.close();
      this.#all.deleteComponent(id);
      this.#changed(component);
    });
  }

  async #removeUnused(id: string): Promise<void> {
    const users = this.#all.directUsersOf(id);
    if (users.length > 0) throw refused(`${id} is used by ${users.join(", ")}`);
    const connector = this.#all.connectors.get(id);
    if (connector === undefined) await this.#shared.end(this.#all.removed(id));
    else if (connector.length > 0) throw refused(`${id} still has ${connector.length} items`);
    else await connector.retire?.(false);
    this.#all.providers.delete(id);
    this.#all.connectors.delete(id);
    this.#leftovers.delete(id);
  }

  async #close(ending: Ending): Promise<void> {
    const { patience, report } = this.#surroundings;
    const isOver = ending === "over" && this.#hasStarted && !this.#hasFailed;
    await patience.wait(this.#changing);
    const components = [...this.#all.components.values()];
    for (const component of components) component.suspend();
    const quiet = Promise.all(components.map((component) => component.quiet()));
    if (this.#isHopeful) await patience.wait(quiet);
    for (const component of components.reverse()) {
      const { id, inFlight } = component;
      if (inFlight > 0) report(unitFault(new Error(`${inFlight} items were left in flight`), id));
      await component.discard(isOver);
    }
    for (const { id } of inOrderOfUse(this.#all.providerWirings()).toReversed()) {
      await this.#shared.end(this.#all.provider(id));
    }
    for (const leftovers of this.#leftovers.values()) leftovers.close();
    for (const { id } of components) this.#all.deleteComponent(id);
    this.#all.providers.clear();
  }

  #renew(id: string): Promise<void> {
    const component = this.#all.components.get(id);
    if (component !== undefined) return component.renew();
    return this.#whileUsersWait(id, () => this.#all.provider(id).renew());
  }

  /** Suspends the components that use a provider, by themselves or through other providers. */
  async #whileUsersWait(id: string, change: () => Promise<void>): Promise<void> {
    const others = this.#shared.usersOf(this.#all.provider(id)) - 1;
    if (others > 0) throw refused(`${id} is shared with ${others} other topologies that run`);
    await whileSuspended(this.#all.usersOf(id), change);
  }

  #fail(error: CrawlError): void {
    if (this.#hasFailed || this.#closing !== null) {
      this.#parts.report(error);
      return;
    }
    this.halt();
    this.#parts.failed(error);
  }

  /** An instance of this component has come to its end, or the component was taken out. */
  #changed(component: ComponentUnit): void {
    if (this.#closing !== null) return;
    const isThere = this.#all.components.get(component.id) === component;
    if (isThere && component.state !== "finished") return;
    this.#assembly.unfinished.delete(component);
    for (const id of component.takesFrom) this.#dropLeftovers(id);
    this.#finishIfOver();
  }

  /** Looks whether all consumers of a connector have finished, and if so, takes out what is left. */
  #dropLeftovers(id: string): void {
    const consumers = this.#all.consumersOf(id);
    const connector = this.#all.connectors.get(id);
    if (connector === undefined || connector.isTee || this.#leftovers.has(id)) return;
    if (consumers.size === 0) return;
    for (const { state } of consumers) if (state !== "finished") return;
    // What comes from elsewhere may be kept there for another run.
    const hasProducers = this.#all.producersOf(id).size > 0;
    if (!(connector.dropsLeftovers ?? hasProducers)) return;
    this.#leftovers.set(id, new Leftovers(this.#turns, connector, () => this.#finishIfOver()));
  }

  #finishIfOver(): void {
    if (this.#closing !== null || this.#hasFinished || this.#assembly.unfinished.size > 0) return;
    // What nobody wanted is counted by then.
    if ([...this.#leftovers.values()].some(({ isEmpty }) => !isEmpty)) return;
    this.#hasFinished = true;
    this.#parts.finished();
  }

  /** There is a consumer again. */
  #keepAgain(connectorId: string): void {
    this.#leftovers.get(connectorId)?.close();
    this.#leftovers.delete(connectorId);
  }

  /** Changes wait for each other, so none of them waits for what another one has paused. */
  async #inTurn(change: () => Promise<void>): Promise<void> {
    const next = this.#changing.then(async () => {
      if (this.#closing !== null) throw refused("it has come to its end");
      await change();
    });
    this.#changing = next.catch(() => undefined);
    await next;
  }
}

function refuseMisfits(misfits: readonly string[]): void {
  if (misfits.length > 0) throw refused(misfits.join("; "));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
