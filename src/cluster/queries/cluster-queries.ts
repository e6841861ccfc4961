/**
 * Queries of one agent: it asks others on behalf of its users, and answers what others ask. It keeps
 * nothing: what is under way is lost when it stops, and is asked again.
 */
import type { Clock } from "../../base/seams/index.ts";
import type { Messenger } from "../messages/index.ts";
import type { RingKey } from "../ring/index.ts";
import { type Call, CallServer, type CarryOut } from "./call-server.ts";
import type { LocalPages, Query } from "./local-pages.ts";
import { type Called, MemberCall } from "./member-call.ts";
import { MemberStream } from "./member-stream.ts";
import { OwnerCall } from "./owner-call.ts";
import { type PageAnswer, PageQuery } from "./page-query.ts";
import type { QuerySettings, QueryView } from "./query-parts.ts";
import { QueryServer } from "./query-server.ts";

export interface ClusterQueriesParts {
  readonly clock: Clock;
  readonly messenger: Pick<Messenger, "ask" | "serve">;
  readonly view: QueryView;
  /** Read whenever they are needed, so they may change. */
  readonly settings: QuerySettings;
}

export class ClusterQueries {
  readonly #parts: ClusterQueriesParts;
  #local: LocalPages | null = null;
  #carryOut: CarryOut | null = null;
  /** Under way. */
  readonly #ownerCalls = new Set<OwnerCall>();

  constructor(parts: ClusterQueriesParts) {
    this.#parts = parts;
    new QueryServer({ ...parts, local: () => this.#local });
    new CallServer(parts.messenger, () => this.#carryOut);
  }

  /** From now on others are answered; with nobody to carry out what they call for they wait for that. */
  start(local: LocalPages, carryOut: CarryOut | null = null): void {
    this.#local = local;
    this.#carryOut = carryOut;
  }

  close(): void {
    this.#local = null;
    this.#carryOut = null;
    for (const call of this.#ownerCalls) call.close();
    this.#ownerCalls.clear();
  }

  /** The page of a URL of this host. `answered` is called once, never inside this call. */
  get(url: string, host: RingKey, answered: (answer: PageAnswer) => void): void {
    new PageQuery(this.#parts, url, answered).begin(host);
  }

  /**
   * What all members have to say, from the cursor of an earlier stream on, or from the beginning (empty).
   * To be closed by whoever has asked for it.
   */
  stream(query: Query, cursor: string, follows = false): MemberStream {
    return new MemberStream(this.#parts, query, cursor, follows);
  }

  /**
   * Has all members do something, or say something, this one included. `id` is used for no other call;
   * `done` is called once, never inside this call, and says who has not answered.
   */
  call(id: string, call: Call, done: (called: Called) => void): void {
    new MemberCall(this.#parts, id, call, done).begin();
  }

  /**
   * Has the owner of a host do something, which may be this agent; while nobody can, it waits. `id` is used
   * for no other call; `done` is called once with what came of it, never inside this call, unless this is
   * closed before.
   */
  callOwner(id: string, host: RingKey, call: Call, done: (text: string) => void): void {
    const under = new OwnerCall(this.#parts, { id, host, ...call }, (text) => {
      this.#ownerCalls.delete(under);
      done(text);
    });
    this.#ownerCalls.add(under);
    under.begin();
  }
}
