/**
 * The end of a crawl as one agent sees it. The lowest live agent asks all members in waves; everybody
 * else only answers, and learns from the questions what has been found.
 *
 * Invariant: an agent counts the crawl as finished only while it has the view and the counter of work
 * with which the end was found.
 */
import type { Clock, Timer } from "../../base/seams/index.ts";
import type { AgentId } from "../../base/transport/index.ts";
import { type Messenger, type Place, placeText, type Sender } from "../messages/index.ts";
import { type Ballot, ballotOf, sameBallot } from "./ballot.ts";
import { PROBE, type Probe, type Stage, type Status } from "./termination-messages.ts";
import type { TerminationMember, TerminationView } from "./termination-view.ts";
import { makeWave, type Votes } from "./wave.ts";

/** What an agent has to do. */
export interface Work {
  /**
   * Whether it is active and nothing is left to do here: nothing queued, in flight, to be sent, not yet
   * durable, not acknowledged, withheld, on probation or asked of it by others.
   */
  readonly isIdle: boolean;
  /** The work counter: grows with every change that can make work, even if that is done at once. */
  readonly changes: number;
  /** Which limit has left nothing to be done, as far as is known here; null or absent if none has. */
  readonly limit?: string | null;
}

export interface TerminationListener {
  /** The crawl has ended, unless something makes work again. `limit`: it had reached this limit. */
  finished(limit: string | null): void;
  /** All live members know it: this agent may stop without keeping anybody from learning it. */
  concluded(): void;
  /** The crawl had finished and goes on: seeds have come, or a member was lost, has returned or joined. */
  resumed(): void;
}

export interface TerminationSettings {
  /** From one wave to the next, before the end is found and afterwards. */
  readonly intervalMs: number;
  /** How long an answer is waited for. */
  readonly timeoutMs: number;
}

export interface TerminationParts {
  readonly clock: Clock;
  readonly messenger: Pick<Messenger, "ask" | "serve">;
  readonly view: TerminationView;
  readonly work: Work;
  readonly settings: TerminationSettings;
  readonly listener: TerminationListener;
}

/** The end, as it was found. */
interface End {
  readonly hash: string;
  /** The work counter of this agent. */
  readonly work: number;
  /** `concluded` as soon as all live members know of the end. */
  readonly stage: "finished" | "concluded";
  /** The work counters of the others, by id, as far as they are known. */
  readonly works: ReadonlyMap<AgentId, number>;
  /** The limit that had been reached, by the agent that has found the end; empty if none had. */
  readonly limit: string;
}

const NONE: ReadonlyMap<AgentId, number> = new Map();

export class Termination {
  readonly #parts: TerminationParts;
  #timer: Timer | null = null;
  #isAsking = false;
  #isClosed = false;
  #end: End | null = null;
  /** Whether this agent may stop: it leads, and the others have heard that all know. */
  #isConcluded = false;
  /** The view for which an end was found and has been undone by work. */
  #undone: string | null = null;
  /** What the listener was told last. */
  #told: "unknown" | "finished" | "concluded" = "unknown";
  #wave = 0;
  /** The ballot of the first wave, while the second is under way. */
  #first: Ballot | null = null;
  /** Who has asked last: its questions of earlier waves come late. */
  #asker = { text: "", wave: 0 };

  constructor(parts: TerminationParts) {
    this.#parts = parts;
    parts.messenger.serve(PROBE, (from, probe, respond) => {
      if (this.#isClosed) return;
      this.#learn(from, probe);
      respond(this.#status());
    });
  }

  start(): void {
    const { clock, settings } = this.#parts;
    this.#timer = clock.after(settings.intervalMs, this.#tick);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** Whether the crawl has ended, as far as is known here. */
  get isFinished(): boolean {
    const { view, work } = this.#parts;
    const end = this.#end;
    return end !== null && end.hash === view.hash && end.work === work.changes;
  }

  /** To be called when the view or the work counter is another: the end may be undone. */
  changed(): void {
    const { listener, view } = this.#parts;
    const { isFinished } = this;
    if (!isFinished) {
      if (this.#end !== null && this.#end.hash === view.hash) this.#undone = view.hash;
      this.#end = null;
      this.#isConcluded = false;
    }
    const told = this.#told;
    this.#told = isFinished ? (this.#isConcluded ? "concluded" : "finished") : "unknown";
    if (this.#isClosed || told === this.#told) return;
    if (!isFinished) listener.resumed();
    else {
      if (told === "unknown") listener.finished(this.#end?.limit || null);
      if (this.#told === "concluded") listener.concluded();
    }
  }

  /** What this agent says about the end. */
  get #stage(): Stage {
    if (this.isFinished) return this.#end?.stage ?? "unknown";
    return this.#undone === this.#parts.view.hash ? "working" : "unknown";
  }

  #status(): Status {
    const { view, work } = this.#parts;
    return { isIdle: work.isIdle, work: work.changes, hash: view.hash, stage: this.#stage };
  }

  /** Takes what another agent has found. */
  #learn({ place, incarnation }: Sender, { wave, stage, hash, work, limit }: Probe): void {
    const { view, work: own } = this.#parts;
    const text = `${placeText(place)}/${incarnation}`;
    if (this.#asker.text === text && wave < this.#asker.wave) return;
    this.#asker = { text, wave };
    if (hash !== view.hash || stage === "unknown") return;
    if (stage === "working") {
      this.#end = null;
      this.#undone = hash;
    } else if (own.isIdle && own.changes === work && !this.#isConcluded) {
      this.#end = { hash, work, stage, works: NONE, limit };
      this.#undone = null;
      this.#isConcluded = stage === "concluded";
    }
    this.changed();
  }

  readonly #tick = (): void => {
    const { view, work } = this.#parts;
    this.start();
    this.changed();
    const members = this.#members();
    if (this.#isAsking || !leads(view.self, members)) return;
    // Who is silent would not answer, so asking the others would be in vain.
    const mayEnd = work.isIdle && members.every(({ standing }) => standing === "alive");
    if (mayEnd || this.#stage !== "unknown") this.#ask(members);
  };

  #members(): TerminationMember[] {
    const isMember = ({ standing, hasEnded }: TerminationMember): boolean =>
      standing !== "given-up" && !hasEnded;
    return [...this.#parts.view.members()].filter(isMember);
  }

  /** One wave to all live members. */
  #ask(members: readonly TerminationMember[]): void {
    const { settings, view } = this.#parts;
    const places = othersIn(members, view.self)
      .filter(({ standing }) => standing === "alive")
      .map(({ place }) => place);
    this.#isAsking = true;
    this.#wave += 1;
    const limit = this.#end?.limit ?? "";
    const probe = { wave: this.#wave, stage: this.#stage, hash: view.hash, limit };
    makeWave(
      { ...this.#parts, timeoutMs: settings.timeoutMs },
      places,
      ({ id }) => ({ ...probe, work: this.#end?.works.get(id) ?? 0 }),
      (votes) => {
        this.#isAsking = false;
        if (!this.#isClosed) this.#count(votes);
      },
    );
  }

  #count(votes: Votes): void {
    const { view } = this.#parts;
    const first = this.#first;
    this.#first = null;
    this.changed();
    if (this.isFinished) {
      this.#watch(votes);
      return;
    }
    const members = this.#members();
    for (const { place, incarnation } of members) {
      if (place.id === view.self.id) {
        votes.set(place.id, { place, incarnation, status: this.#status() });
      }
    }
    const ballot = ballotOf(view.hash, members, votes);
    if (ballot === null) return;
    if (first !== null && sameBallot(first, ballot)) this.#finish(ballot);
    else {
      this.#first = ballot;
      this.#ask(members);
    }
  }

  #finish({ hash, votes }: Ballot): void {
    const works = new Map(votes.map(({ place, status }) => [place.id, status.work]));
    const { changes: work, limit } = this.#parts.work;
    this.#end = { hash, work, stage: "finished", works, limit: limit ?? "" };
    this.#undone = null;
    this.changed();
    if (!this.#isClosed) this.#ask(this.#members());
  }

  /** A wave after the end: is everybody still idle, and does everybody know? */
  #watch(votes: Votes): void {
    const end = this.#end as End;
    const works = new Map(end.works);
    for (const { place, status } of votes.values()) {
      if (status.hash !== end.hash) continue;
      // An agent that was told of the end, and leads by now, does not know the counters of the others.
      const work = works.get(place.id) ?? status.work;
      works.set(place.id, work);
      if (status.isIdle && status.work === work) continue;
      this.#end = null;
      this.#undone = end.hash;
      this.changed();
      return;
    }
    this.#conclude({ ...end, works }, votes);
  }

  #conclude(end: End, votes: Votes): void {
    const stages = othersIn(this.#members(), this.#parts.view.self)
      .filter(({ standing }) => standing !== "dead")
      .map(({ place }) => votes.get(place.id)?.status.stage ?? "unknown");
    this.#end = end;
    if (!stages.every((stage) => stage === "finished" || stage === "concluded")) return;
    const wasConcluded = end.stage === "concluded";
    this.#end = { ...end, stage: "concluded" };
    this.#isConcluded = stages.every((stage) => stage === "concluded");
    this.changed();
    if (!wasConcluded && !this.#isConcluded && !this.#isClosed) this.#ask(this.#members());
  }
}

/** Whether it is this agent's turn: it has the lowest id of those that are alive. */
function leads(self: Place, members: readonly TerminationMember[]): boolean {
  return members.every(({ place, standing }) => standing !== "alive" || place.id >= self.id);
}

function othersIn(members: readonly TerminationMember[], self: Place): TerminationMember[] {
  return members.filter(({ place }) => place.id !== self.id);
}
