/** Puts the parts of a membership together, and tells each of those that it needs. */
import { Activity } from "./activity.ts";
import { Attendance } from "./attendance.ts";
import { JoinBarrier } from "./barrier/join-barrier.ts";
import { SyncAnswers } from "./barrier/sync-answers.ts";
import { TakeoverBarrier } from "./barrier/takeover-barrier.ts";
import { ClusterFile } from "./cluster-file.ts";
import type { Core } from "./core.ts";
import { FailureDetector } from "./failure-detector.ts";
import { Forgetting } from "./forgetting.ts";
import { Heartbeats } from "./heartbeats.ts";
import { IdProbe } from "./id-probe.ts";
import { Leaving } from "./leaving.ts";
import { LifeCycle } from "./life-cycle.ts";
import { Majority } from "./majority.ts";
import { MemberTable } from "./member-table.ts";
import type { MembershipParts } from "./membership-parts.ts";
import { timesOf } from "./membership-settings.ts";
import { OwnLife } from "./own-life.ts";
import { OwnView } from "./own-view.ts";
import { RingChanges } from "./ring-changes.ts";
import { ConfigurationGossip } from "./shared/configuration-gossip.ts";
import { SeedGossip } from "./shared/seed-gossip.ts";

export interface Assembly {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly attendance: Attendance;
  readonly majority: Majority;
  readonly activity: Activity;
  readonly heartbeats: Heartbeats;
  readonly probe: IdProbe;
  readonly barrier: JoinBarrier;
  readonly takeover: TakeoverBarrier;
  readonly answers: SyncAnswers;
  readonly seeds: SeedGossip;
  readonly configuration: ConfigurationGossip;
  readonly leaving: Leaving;
  readonly forgetting: Forgetting;
  readonly cycle: LifeCycle;
}

export function assemble(parts: MembershipParts): Assembly {
  const core = coreOf(parts, () => seeds.hash);
  // Numbers of requests; a request also names its incarnation.
  let number = 0;
  const nextNumber = (): number => {
    number += 1;
    return number;
  };
  const takeover = new TakeoverBarrier(core, nextNumber);
  const changes = new RingChanges(
    core,
    (place) => takeover.begin(place),
    (generation) => cycle.replaced(generation, 0),
  );
  const majority = new Majority(core);
  const activity = new Activity(core, majority);
  const seeds = new SeedGossip(core, () => heartbeats.beat());
  const configuration = new ConfigurationGossip(core, () => heartbeats.beat());
  const heartbeats = new Heartbeats({
    core,
    changes,
    majority,
    seedsHash: () => seeds.hash,
    heard: (entry) => {
      seeds.heard(entry);
      configuration.heard(entry);
      activity.update();
    },
  });
  const barrier = new JoinBarrier({
    core,
    changes,
    majority,
    nextNumber,
    hasSeeds: (counts, from) => seeds.has(counts, from),
    joined: () => cycle.joined(),
  });
  const probe = new IdProbe(core);
  const leaving = new Leaving(core, changes, () => cycle.left());
  const cycle: LifeCycle = new LifeCycle({
    ...{ core, changes, probe, barrier, leaving, heartbeats, configuration, activity, majority },
  });
  return {
    ...{ core, changes, majority, activity, heartbeats, probe, barrier, takeover, seeds },
    ...{ configuration, leaving, cycle },
    attendance: new Attendance(core, changes),
    answers: new SyncAnswers(core, changes, () => seeds.counts),
    forgetting: new Forgetting(core, changes),
  };
}

function coreOf(parts: MembershipParts, seedsHash: () => string): Core {
  const { id, capacity, settings, clock, random, storage, messenger, listener } = parts;
  const life = new OwnLife(id, capacity);
  const table = new MemberTable();
  const detector = new FailureDetector(table, settings);
  const { replicas, heartbeatMs: retryMs } = settings;
  const view = new OwnView({ clock, life, table, detector, replicas, seedsHash });
  const file = new ClusterFile({
    storage,
    clock,
    retryMs,
    state: () => life.durable(table.rows()),
    trouble: (error) => listener.trouble(error),
  });
  const times = timesOf(settings);
  return { clock, random, messenger, settings, times, listener, life, table, detector, file, view };
}
