/**
 * Queries, in a node: others are answered from the store of the agent as soon as that is open, and about
 * this agent itself by the node. What can be asked of all has a name here.
 */
import type { Clock } from "../../base/seams/index.ts";
import type { View } from "../membership/index.ts";
import type { Messenger } from "../messages/index.ts";
import { ClusterQueries, type LocalPages, type QuerySettings } from "../queries/index.ts";
import type { NodeDesk } from "./node-agent.ts";
import type { NodeStatus } from "./node-status.ts";

export interface NodeQueriesParts {
  readonly clock: Clock;
  readonly messenger: Messenger;
  readonly view: View;
  readonly settings: QuerySettings;
  readonly status: () => NodeStatus;
  readonly desk: NodeDesk | null;
}

/** The links to a page, whoever has found them; the argument is its URL. */
const LINKS_IN = "links-in";
/** What agents are doing. */
const STATUS = "status";

/** What an agent says of itself. */
export interface ToldStatus extends Omit<NodeStatus, "dropped"> {
  readonly id: string;
  readonly dropped: Readonly<Record<string, number>>;
  /** Of its part of the crawl; null if it has none. */
  readonly summary: object | null;
}

type Stream = ReturnType<ClusterQueries["stream"]>;

export class NodeQueries {
  readonly #parts: NodeQueriesParts;
  readonly #queries: ClusterQueries;

  constructor(parts: NodeQueriesParts) {
    this.#parts = parts;
    this.#queries = new ClusterQueries(parts);
  }

  /** Others are answered from now on. */
  start(local: LocalPages): void {
    const { desk } = this.#parts;
    const carryOut: NodeDesk["carryOut"] | null =
      desk === null ? null : (call, done) => desk.carryOut(call, done);
    this.#queries.start({ ...bound(local), items: this.#itemsOf(local) }, carryOut);
  }

  close(): void {
    this.#queries.close();
  }

  /** The page of a URL of this host, wherever it is (Q1). */
  get(...question: Parameters<ClusterQueries["get"]>): void {
    this.#queries.get(...question);
  }

  /** What all agents have to say (Q2); see `ClusterQueries.stream`. */
  stream(...question: Parameters<ClusterQueries["stream"]>): Stream {
    return this.#queries.stream(...question);
  }

  /** The links to a page, as the stores of all agents have them. */
  linksTo(url: string): Stream {
    return this.stream({ what: LINKS_IN, argument: url }, "");
  }

  /** The status of every agent: an item of JSON from each (`ToldStatus`). */
  statuses(): Stream {
    return this.stream({ what: STATUS, argument: "" }, "");
  }

  /** Has all agents do or say something; see `ClusterQueries.call`. */
  call(...called: Parameters<ClusterQueries["call"]>): void {
    this.#queries.call(...called);
  }

  /** Has the owner of a host do something; see `ClusterQueries.callOwner`. */
  callOwner(...called: Parameters<ClusterQueries["callOwner"]>): void {
    this.#queries.callOwner(...called);
  }

  #itemsOf(local: LocalPages): LocalPages["items"] {
    const { clock, view, status } = this.#parts;
    return (query, cursor, bytesMax, done) => {
      if (query.what !== STATUS) {
        local.items(query, cursor, bytesMax, done);
        return;
      }
      const { dropped, ...numbers } = status();
      const { id } = view.self;
      const summary = this.#parts.desk?.summary() ?? null;
      const said: ToldStatus = { id, ...numbers, dropped: Object.fromEntries(dropped), summary };
      const items = cursor === "" ? [new TextEncoder().encode(JSON.stringify(said))] : [];
      clock.after(0, () => done(null, { items, cursor: "told", isEnd: true }));
    };
  }
}

function bound(local: LocalPages): Pick<LocalPages, "whereIs" | "readPage"> {
  return { whereIs: local.whereIs.bind(local), readPage: local.readPage.bind(local) };
}
