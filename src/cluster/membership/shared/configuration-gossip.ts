/**
 * The configuration of the crawl is the same at all agents: a heartbeat names the version that its
 * sender has, and whoever has an earlier one asks for it. A change is answered when every member of the
 * view has the same version (S2): of changes that were made at once one counts, and not always the one that
 * replaces the others first, since somebody may make another change from one that is about to be replaced.
 * A configuration names who made the changes that led to it; so whoever has made one can tell whether it
 * counts, however many have followed.
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
  changedBy,
  compareVersions,
  contains,
  makerOf,
} from "./shared-configuration.ts";

interface Waiting {
  readonly version: ConfigurationVersion;
  readonly done: Done<number>;
}

export class ConfigurationGossip {
  readonly #core: Core;
  /** The version is another: others should know soon. */
  readonly #changed: () => void;
  readonly #waiting: Waiting[] = [];
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
   * Changes the text; `done` with how many agents have the change, this one included. It is made from
   * `base` (null if nothing was known), and lost if that is not what counts any more: it would undo the
   * change of another agent.
   */
  setText(text: string, base: string | null, done: Done<number>): void {
    const { life, clock } = this.#core;
    const configuration = this.#known();
    if (base !== null && configuration.text !== base) {
      const { by } = configuration.version;
      clock.after(0, () => done(settingLost(by), undefined));
    } else if (configuration.electors.length === 0) {
      // The first change of all founds the crawl, so that nobody can make one that lacks the electors.
      this.#early.push(() => this.setText(text, base, done));
    } else this.#change({ ...configuration, ...changedBy(configuration, life.id), text }, done);
  }

  /** Changes who has a vote: the first change of all, and whenever a vote ends. */
  setElectors(electors: ClusterConfiguration["electors"], done: Done<number>): void {
    const configuration = this.#known();
    this.#change(
      { ...configuration, ...changedBy(configuration, this.#core.life.id), electors },
      done,
    );
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
    const { configuration: own } = life;
    if (this.#waiting.length === 0 || own === null) return;
    const members = detector.present(clock.nowMs()).filter(({ isInRing }) => isInRing);
    // Until then a version that is under way may replace this one, and have been made from another change.
    const isSettled = members.every(
      ({ configuration }) => compareVersions(configuration, own.version) === 0,
    );
    if (!isSettled) return;
    for (const { version, done } of this.#waiting.splice(0)) {
      if (contains(own, version)) done(null, members.length + 1);
      else done(settingLost(makerOf(own, version.number) ?? own.version.by), undefined);
    }
  }

  #known(): ClusterConfiguration {
    const { configuration } = this.#core.life;
    if (configuration === null) throw new Error("a configuration is changed once it is known");
    return configuration;
  }

  #change(changed: ClusterConfiguration, done: Done<number>): void {
    const { version } = changed;
    this.adopt(changed);
    this.#core.file.whenSaved(() => {
      this.#waiting.push({ version, done });
      this.tick();
    });
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
