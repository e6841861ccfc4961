/** What a suite needs of a transport under test, and a few agents connected by it. */
import assert from "node:assert/strict";
import type { AgentId, Answer, Message, Transport } from "../../base/transport/index.ts";
import { ask } from "./ask.ts";
import type { World } from "./world.ts";

export interface TransportSubject {
  readonly world: World;
  /** Connects an agent; ends when it and all those connected before can reach each other. */
  connect(id: AgentId): Promise<Transport>;
  /** Ends everything, whatever is still connected. */
  close(): Promise<void>;
}

/** Long enough for any answer in a calm world. */
export const PATIENCE_MS: number = 30_000;
/** For requests that are meant to run out of time. */
export const HASTE_MS: number = 50;

export type Opening = () => Promise<TransportSubject>;

interface Question {
  readonly from: AgentId;
  readonly to: AgentId;
  readonly message: Message;
  readonly timeoutMs: number;
}

/** A few connected agents, and the questions that tests ask between them. */
export class Cluster implements AsyncDisposable {
  readonly #subject: TransportSubject;
  readonly #agents = new Map<AgentId, Transport>();

  private constructor(subject: TransportSubject) {
    this.#subject = subject;
  }

  static async of(open: Opening, ...ids: readonly AgentId[]): Promise<Cluster> {
    const cluster = new Cluster(await open());
    for (const id of ids) await cluster.connect(id);
    return cluster;
  }

  get world(): World {
    return this.#subject.world;
  }

  get agents(): Transport[] {
    return [...this.#agents.values()];
  }

  agent(id: AgentId): Transport {
    const agent = this.#agents.get(id);
    assert(agent !== undefined);
    return agent;
  }

  async connect(id: AgentId): Promise<Transport> {
    const agent = await this.#subject.connect(id);
    assert.equal(agent.self, id);
    this.#agents.set(id, agent);
    return agent;
  }

  asks(from: AgentId | undefined, to: AgentId | undefined, message: Message): Question {
    return { from: from ?? "", to: to ?? "", message, timeoutMs: PATIENCE_MS };
  }

  async request(from: AgentId, to: AgentId, message: Message): Promise<Answer> {
    const [answer] = await this.all([this.asks(from, to, message)]);
    assert(answer !== undefined);
    return answer;
  }

  /** Asks everything at once; ends when all is answered. */
  all(questions: readonly Question[]): Promise<readonly Answer[]> {
    return ask<readonly Answer[]>(this.world, (answered) => {
      const answers: Answer[] = [];
      let open = questions.length;
      questions.forEach((question, index) => {
        const { from, to, message, timeoutMs } = question;
        this.agent(from).request(to, message, timeoutMs, (answer) => {
          assert.equal(answers[index], undefined, "a request is answered once");
          answers[index] = answer;
          open -= 1;
          if (open === 0) answered(answers);
        });
      });
    });
  }

  async notReached(from: AgentId, to: AgentId, message: Message): Promise<void> {
    const question = { ...this.asks(from, to, message), timeoutMs: HASTE_MS };
    const [answer] = await this.all([question]);
    const isRight = answer?.kind === "unreachable" || answer?.kind === "timed-out";
    assert.ok(isRight, `unreachable or timed-out, not ${answer?.kind}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#subject.close();
  }
}
