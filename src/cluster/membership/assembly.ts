/** Puts the parts of a membership together, and tells each of those that it needs. */
import { StateFile } from "../state/index.ts";
import { Absentees } from "./barrier/absentees.ts";
import { JoinBarrier } from "./barrier/join-barrier.ts";
import { SyncAnswers } from "./barrier/sync-answers.ts";
import { TakeoverBarrier } from "./barrier/takeover-barrier.ts";
import { CLUSTER_FILE, printState } from "./cluster-state.ts";
import type { Core } from "./core.ts";
import { Activity } from "./life/activity.ts";
import { Ending } from "./life/ending.ts";
import { FullDisk } from "./life/full-disk.ts";
import { IdProbe } from "./life/id-probe.ts";
import { Leaving } from "./life/leaving.ts";
import { LifeCycle } from "./life/life-cycle.ts";
import { OwnLife } from "./life/own-life.ts";
import { Electorate } from "./majority/electorate.ts";
import { Majority } from "./majority/majority.ts";
import type { MembershipParts } from "./membership-parts.ts";
import { timesOf } from "./membership-settings.ts";
import { ConfigurationGossip } from "./shared/configuration-gossip.ts";
import { SeedGossip } from "./shared/seed-gossip.ts";
import { Attendance } from "./view/attendance.ts";
import { FailureDetector } from "./view/failure-detector.ts";
import { Forgetting } from "./view/forgetting.ts";
import { Heartbeats } from "./view/heartbeats.ts";
import { MemberTable } from "./view/member-table.ts";
import { OtherCrawls } from "./view/other-crawls.ts";
import { OtherVersions } from "./view/other-versions.ts";
import { OwnView } from "./view/own-view.ts";
import { RingChanges } from "./view/ring-changes.ts";

export interface Assembly {
  readonly core: Core;
  readonly changes: RingChanges;
  readonly attendance: Attendance;
  readonly otherVersions: OtherVersions;
  readonly otherCrawls: OtherCrawls;
  readonly majority: Majority;
  readonly activity: Activity;
  readonly heartbeats: Heartbeats;
  readonly probe: IdProbe;
  readonly barrier: JoinBarrier;
  readonly takeover: TakeoverBarrier;
  readonly absentees: Absentees;
  readonly answers: SyncAnswers;
  readonly seeds: SeedGossip;
  readonly configuration: ConfigurationGossip;
  readonly leaving: Leaving;
  readonly ending: Ending;
  readonly forgetting: Forgetting;
  readonly cycle: LifeCycle;
  readonly fullDisk: FullDisk;
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
  const absentees = new Absentees(core, takeover, nextNumber);
  const changes = new RingChanges(core, {
    taken: (place) => takeover.begin(place),
    replaced: (generation) => cycle.replaced(generation, 0),
    lost: () => leaving.lost(),
  });
  const electorate = new Electorate(core);
  const majority = new Majority(core, electorate);
  const activity = new Activity(core, majority);
  const seeds = new SeedGossip(core, () => heartbeats.beat());
  const configuration = new ConfigurationGossip(core, () => heartbeats.beat());
  const heartbeats = new Heartbeats({
    core,
    changes,
    majority,
    seedsHash: () => seeds.hash,
    configuration: () => configuration.durable,
    heard: (entry) => {
      seeds.heard(entry);
      configuration.heard(entry);
      activity.update();
    },
  });
  const otherVersions = new OtherVersions(core);
  const barrier = new JoinBarrier({
    ...{ core, changes, majority, electorate, otherVersions, nextNumber },
    expect: parts.expect ?? 1,
    found: (electors) => configuration.setElectors(electors, () => undefined),
    hasSeeds: (counts, from) => seeds.has(counts, from),
    joined: (hasAnswered, told) => {
      absentees.begin(hasAnswered, told);
      cycle.joined();
    },
  });
  const probe = new IdProbe(core);
  const leaving = new Leaving({
    ...{ core, changes, electorate, configuration },
    ...{ over: () => cycle.left(), again: () => cycle.leaveAgain() },
  });
  const cycle: LifeCycle = new LifeCycle({
    ...{ core, changes, probe, barrier, leaving, heartbeats, configuration, activity, majority },
  });
  return {
    ...{ core, changes, majority, activity, heartbeats, probe, barrier, takeover, absentees },
    ...{ seeds, configuration, leaving, cycle, otherVersions },
    otherCrawls: new OtherCrawls(core),
    attendance: new Attendance(core, changes),
    answers: new SyncAnswers({
      ...{ core, changes, majority, electorate, seeds: () => seeds.counts },
      absences: () => absentees.absences,
      isShort: () => barrier.isShort,
    }),
    fullDisk: new FullDisk({ core, heartbeats, cycle }),
    ending: new Ending({ core, changes, knowledge: () => knowledgeOf(core.life, seeds.hash) }),
    forgetting: new Forgetting({ core, changes, electorate, configuration }),
  };
}

function coreOf(parts: MembershipParts, seedsHash: () => string): Core {
  const { id, capacity, settings, clock, random, storage, messenger, listener } = parts;
  const life = new OwnLife(id, capacity);
  const table = new MemberTable();
  const detector = new FailureDetector(table, settings, {
    knowledge: () => knowledgeOf(life, seedsHash()),
    toldTo: (place) => listener.toldTo(place),
  });
  const { replicas, heartbeatMs: retryMs } = settings;
  const view = new OwnView({ clock, life, table, detector, replicas, seedsHash });
  const file = new StateFile({
    ...{ storage, clock, retryMs, name: CLUSTER_FILE },
    bytes: () => printState(life.durable(table.rows())),
    trouble: (error) => listener.trouble(error),
  });
  const times = timesOf(settings);
  return { clock, random, messenger, settings, times, listener, life, table, detector, file, view };
}

/** Stands for what may make work, however the view changes: seeds, and the version of the configuration (T2). */
function knowledgeOf({ configuration }: OwnLife, seedsHash: string): string {
  const { number, by } = configuration?.version ?? { number: 0, by: "" };
  return `${seedsHash} ${number} ${by}`;
}
