/**
 * The configuration of the crawl is the same at all agents: a heartbeat names the version that its
 * sender has, and whoever has an earlier one asks for it. A change is answered when every member of the
 * view has it.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import type { Done } from "../../../base/seams/index.ts";
import type { Place } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import { CONFIGURATION } from "../membership-messages.ts";
import type { MemberEntry } from "../view/member-table.ts";
import {
  type ClusterConfiguration,
  type ConfigurationVersion,
  compareVersions,
} from "./shared-configuration.ts";

interface Waiting {
  readonly version: ConfigurationVersion;
  readonly done: Done<number>;
}

export class ConfigurationGossip {
  readonly #core: Core;
  /** The version is another: others should know soon. */
  readonly #changed: () => void;
  #waiting: Waiting[] = [];
  #isPulling = false;
  #durable: ConfigurationVersion = { number: 0, by: "" };
  /** Changes that were wanted before the crawl was founded. */
  #early: (() => void)[] = [];

  constructor(core: Core, changed: () => void) {
    this.#core = core;
    this.#changed = changed;
    core.messenger.serve(CONFIGURATION, (_, __, respond) => {
      const { configuration } = core.life;
      if (configuration !== null) core.file.whenSaved(() => respond(configuration));
    });
  }

  /** The version that is durable here: only that is told to others (D1). */
  get durable(): ConfigurationVersion {
    return this.#durable;
  }

  /**
   * Changes it; `done` with how many agents have the change, this one included. The first change of all
   * founds the crawl, so that nobody can make one that lacks the electors.
   */
  change(
    change: Partial<Pick<ClusterConfiguration, "text" | "electors">>,
    done: Done<number>,
  ): void {
    const { life, file } = this.#core;
    const { configuration } = life;
    if (configuration === null) throw new Error("a configuration is changed once it is known");
    if (configuration.electors.length === 0 && change.electors === undefined) {
      this.#early.push(() => this.change(change, done));
      return;
    }
    const version = { number: configuration.version.number + 1, by: life.id };
    this.adopt({ ...configuration, ...change, version });
    file.whenSaved(() => {
      this.#waiting.push({ version, done });
      this.tick();
    });
  }

  /** Takes over a configuration, durably; then others hear of it. */
  adopt(configuration: ClusterConfiguration): void {
    const { life, file, listener } = this.#core;
    life.configuration = configuration;
    file.changed();
    listener.configured(configuration);
    if (configuration.electors.length > 0) for (const change of this.#early.splice(0)) change();
    file.whenSaved(() => {
      this.saved(configuration);
      this.#changed();
    });
  }

  /** Whether one that another agent has sent can be that of this crawl. */
  isSound({ crawl, fingerprintKey, shards, text }: ClusterConfiguration): boolean {
    const { life, listener } = this.#core;
    const own = life.configuration ?? { crawl, fingerprintKey, shards };
    const isOurs = crawl === own.crawl && fingerprintKey === own.fingerprintKey;
    return isOurs && shards === own.shards && listener.understands(text);
  }

  /** This configuration is durable. */
  saved(configuration: ClusterConfiguration | null): void {
    const { version } = configuration ?? {};
    if (version !== undefined && compareVersions(version, this.#durable) > 0)
      this.#durable = version;
  }

  /** Somebody has said which version it has. */
  heard({ configuration: theirs, place }: MemberEntry): void {
    const own = this.#core.life.configuration?.version;
    if (own !== undefined && compareVersions(theirs, own) > 0) this.#pull(place);
    this.tick();
  }

  tick(): void {
    const { clock, detector, life } = this.#core;
    if (this.#waiting.length === 0 || life.configuration === null) return;
    const { version: own } = life.configuration;
    const members = detector.present(clock.nowMs()).filter(({ isInRing }) => isInRing);
    for (const waiting of this.#waiting) {
      const { version, done } = waiting;
      const isLost = own.number === version.number && own.by !== version.by;
      const isEverywhere = members.every((one) => compareVersions(one.configuration, version) >= 0);
      if (!isLost && !isEverywhere) continue;
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      if (isLost) done(settingLost(own.by), undefined);
      else done(null, members.length + 1);
    }
  }

  #pull(from: Place): void {
    const { messenger, times } = this.#core;
    if (this.#isPulling) return;
    this.#isPulling = true;
    messenger.ask(from, CONFIGURATION, { body: null, timeoutMs: times.replyMs }, (replied) => {
      this.#isPulling = false;
      const own = this.#core.life.configuration?.version;
      if (replied.kind !== "reply" || own === undefined) return;
      if (compareVersions(replied.body.version, own) <= 0) return;
      if (this.isSound(replied.body)) this.adopt(replied.body);
    });
  }
}

function settingLost(by: string): CrawlError {
  return new CrawlError(
    "CLUSTER_SETTING_LOST",
    `The agent ${by} has changed the configuration at the same moment, and its change counts. Look at ` +
      "the configuration, and make this change again.",
    { by },
  );
}
