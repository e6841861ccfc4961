/**
 * What the agents of a crawl share besides its pages, as this one obeys and changes it: whether the crawl
 * runs, is paused or stopped, the keys of its configuration, and what was changed for single hosts. Whoever changes something tells all; each
 * obeys when it hears of it, the one that has changed it too.
 *
 * An agent that stops stays for a few heartbeats, in which it fetches nothing, so that those who have not
 * heard of it can ask. A crawl that was stopped goes on when one of its agents is started again: that one
 * tells all others so before it says anything else.
 */
import { CrawlError, isCrawlError } from "../../../base/errors/index.ts";
import { answered, type Clock, type Timer } from "../../../base/seams/index.ts";
import { SECOND_MS } from "../../../base/units/index.ts";
import type { ClusterNode } from "../../../cluster/node/index.ts";
import {
  CONFIGURATION_SCHEMA,
  type Configuration,
  crossChecked,
} from "../../../rules/config/index.ts";
import { readValues } from "../../../topology/runtime/index.ts";
import type { SharedHosts } from "../../control/lane-answers.ts";
import type { CrawlLife } from "../../crawl/crawl-life.ts";
import { changeableAt } from "../../topology/crawl-settings.ts";
import { boundsOf } from "../member-settings.ts";
import { printShared, type Shared } from "./shared-text.ts";

export interface SharedCrawlParts {
  readonly clock: Clock;
  readonly node: Pick<ClusterNode, "configure">;
  readonly life: Pick<CrawlLife, "pause" | "resume" | "stop">;
  /** The crawl does not end while it is paused, even if nothing is left. */
  readonly setPaused: (isPaused: boolean) => void;
  /** The keys with which this agent runs. */
  readonly inForce: () => Configuration;
  /** Changes keys that one unit takes, here. */
  readonly changeKeys: (unit: string, values: Readonly<Record<string, string>>) => Promise<unknown>;
  /** From now on this, and nothing else, is changed for single hosts. */
  readonly setHosts: (hosts: SharedHosts) => Promise<unknown>;
  /** The crawl ends for all, and others still answer. */
  readonly ending: () => void;
  readonly report: (error: CrawlError) => void;
}

/** What is to be another. */
export interface SharedChange {
  readonly state?: Shared["state"];
  /** Whether fetches in flight are given up by a stop. */
  readonly isUrgent?: boolean;
  /** Of keys that all agents share, written as in a file. */
  readonly values?: Readonly<Record<string, string>>;
  /** Of single hosts; null is the delay of the configuration. */
  readonly hosts?: SharedHosts;
}

/** How long others are waited for until they have a change: someone who is silent is dead by then. */
const PATIENCE_MS = 20 * SECOND_MS;
/** How often a change is made that another agent's change has replaced. */
const TRIES_MAX = 5;
/** How long an agent stays that stops. */
const LINGER_BEATS = 3;

export class SharedCrawl {
  readonly #parts: SharedCrawlParts;
  #shared: Shared;
  /** Changes of this agent that not all have. */
  #telling = 0;
  /** It was started to go on with a crawl that was stopped, and others may not know that yet. */
  #goesOn = false;
  #ending: Timer | null = null;
  #farewell: Timer | null = null;
  /** What was heard is obeyed in its order. */
  #obeyed: Promise<unknown> = Promise.resolve();
  /** What is changed for single hosts here; null until something was said of them. */
  #hosts: string | null = null;

  /** `shared` is what was known when the crawl was opened, with which it runs. */
  constructor(parts: SharedCrawlParts, shared: Shared) {
    this.#parts = parts;
    this.#shared = shared;
  }

  get state(): Shared["state"] {
    return this.#shared.state;
  }

  /**
   * The crawl is open; `wasStopped`: as its own disk says, so that starting it again means to go on. `values`
   * are keys that it was started with to change them for all.
   */
  begin(wasStopped: boolean, values: Readonly<Record<string, string>> = {}): void {
    this.#obeyed = this.#obeyed.then(() => this.#obeyHosts());
    this.#goesOn = wasStopped && this.#shared.state === "stopped";
    const change: SharedChange = this.#goesOn ? { state: "running", values } : { values };
    if (this.#goesOn || Object.keys(values).length > 0)
      this.change(change).catch((error) => this.#parts.report(error));
    if (!this.#goesOn) this.#obeyState();
  }

  /** Another agent has changed something, or this one. */
  heard(shared: Shared): void {
    this.#shared = shared;
    if (shared.state !== "stopped") this.#goesOn = false;
    this.#obeyState();
    this.#obeyed = this.#obeyed.then(() => this.#obeyHosts()).then(() => this.#obeyKeys());
  }

  /** Resolves with how many agents have the change, once all have it that are there; null if not in time. */
  async change(change: SharedChange): Promise<number | null> {
    this.#telling += 1;
    try {
      return await this.#tell(change, 1);
    } finally {
      this.#telling -= 1;
      this.#obeyState();
    }
  }

  /** Nothing follows any more. */
  close(): void {
    this.#cancelEnd();
  }

  async #tell(change: SharedChange, tries: number): Promise<number | null> {
    const { node, clock } = this.#parts;
    const shared = changed(this.#shared, change);
    const { configuration } = shared;
    const text = { text: printShared(shared), bounds: boundsOf(configuration) };
    const told = answered<number>((done) => node.configure(text, done));
    const late = Promise.withResolvers<null>();
    const timer = clock.after(PATIENCE_MS, () => late.resolve(null));
    try {
      return await Promise.race([told, late.promise]);
    } catch (error) {
      const isLost = isCrawlError(error) && error.code === "CLUSTER_SETTING_LOST";
      if (!isLost || tries >= TRIES_MAX) throw error;
      return await this.#tell(change, tries + 1);
    } finally {
      timer.cancel();
      told.catch(() => undefined);
    }
  }

  #obeyState(): void {
    const { life, setPaused } = this.#parts;
    const { state } = this.#shared;
    if (this.#goesOn) return;
    setPaused(state === "paused");
    if (state === "running") {
      this.#cancelEnd();
      life.resume();
    } else life.pause();
    if (state === "stopped") this.#endSoon();
  }

  #cancelEnd(): void {
    this.#ending?.cancel();
    this.#farewell?.cancel();
    this.#ending = null;
  }

  #endSoon(): void {
    const { clock, life, inForce, ending } = this.#parts;
    if (this.#ending !== null || this.#telling > 0) return;
    const lingerMs = LINGER_BEATS * inForce().cluster.heartbeat;
    this.#farewell = clock.after(lingerMs / 2, ending);
    this.#ending = clock.after(lingerMs, () => life.stop(this.#shared.isUrgent === true));
  }

  async #obeyHosts(): Promise<void> {
    const { hosts = {} } = this.#shared;
    const text = JSON.stringify(hosts);
    if (text === this.#hosts) return;
    this.#hosts = text;
    try {
      await this.#parts.setHosts(hosts);
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      this.#parts.report(error);
    }
  }

  /** Takes keys over that are in force here with other values. */
  async #obeyKeys(): Promise<void> {
    const { changeKeys, report } = this.#parts;
    for (const [unit, values] of this.#differing()) {
      try {
        await changeKeys(unit, values);
      } catch (error) {
        if (!isCrawlError(error)) throw error;
        report(notTaken(values, error));
      }
    }
  }

  /** By the unit that takes them. */
  #differing(): Map<string, Record<string, string>> {
    const wanted = CONFIGURATION_SCHEMA.values(this.#shared.configuration);
    const values = CONFIGURATION_SCHEMA.values(this.#parts.inForce());
    const units = new Map<string, Record<string, string>>();
    for (const { path, key } of CONFIGURATION_SCHEMA.keys) {
      const { unit } = changeableAt(path);
      const text = key.type.write(wanted.get(path));
      if (key.reach === "local" || unit === null || text === key.type.write(values.get(path))) {
        continue;
      }
      units.set(unit, { ...units.get(unit), [path]: text });
    }
    return units;
  }
}

function changed(shared: Shared, change: SharedChange): Shared {
  const { state, isUrgent, values = {}, hosts = {} } = change;
  const all = CONFIGURATION_SCHEMA.values(shared.configuration);
  const read = readValues(values, { schema: CONFIGURATION_SCHEMA, fixed: {} }, "the crawl");
  const configuration = crossChecked(CONFIGURATION_SCHEMA.build(new Map([...all, ...read])));
  return {
    ...{ configuration, state: state ?? shared.state, isUrgent: isUrgent ?? false },
    hosts: hostsWith(shared.hosts ?? {}, hosts),
  };
}

function hostsWith(before: SharedHosts, changes: SharedHosts): SharedHosts {
  const all = { ...before };
  for (const [host, change] of Object.entries(changes)) {
    const { isBlocked = false, delayMs = null } = { ...all[host], ...withoutGaps(change) };
    delete all[host];
    const kept = { ...(isBlocked ? { isBlocked } : {}), ...(delayMs === null ? {} : { delayMs }) };
    if (Object.keys(kept).length > 0) all[host] = kept;
  }
  return all;
}

/** What is not said stays as it is. */
function withoutGaps({ isBlocked, delayMs }: SharedHosts[string]): SharedHosts[string] {
  return {
    ...(isBlocked === undefined ? {} : { isBlocked }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function notTaken(values: Readonly<Record<string, string>>, { message }: CrawlError): CrawlError {
  return new CrawlError(
    "CLUSTER_SETTING_REFUSED",
    `This agent goes on without the change of ${Object.keys(values).join(", ")} that others have made: ` +
      `${message}`,
  );
}
