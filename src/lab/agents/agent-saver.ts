/**
 * Takes the checkpoints of a simulated agent: the node has its moment first, then each lane its own, when
 * all that was asked of it until then is carried out. When everything that lanes have told by then is
 * durable, all of it is recorded at once, in one file; and what only earlier checkpoints need is dropped.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import {
  type Clock,
  type Done,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { Gathered } from "../../base/steps/index.ts";
import type { ClusterNode, NodeMark } from "../../cluster/node/index.ts";
import type { Frontier, FrontierCheckpoint } from "../../frontier/front/index.ts";
import type { OpenPages } from "./open-pages.ts";
import type { PageLog } from "./page-log.ts";
import { type SavedAgent, type SavedLane, writeSaved } from "./saved-agent.ts";
import type { SimLane } from "./sim-lane.ts";
import { isFull, RETRY_FULL_MS } from "./sim-room.ts";

export interface AgentSaverParts {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly everyMs: number;
  readonly last: SavedAgent | null;
  readonly node: ClusterNode;
  readonly lanes: readonly SimLane[];
  readonly pages: PageLog;
  readonly open: OpenPages;
  readonly failed: (error: CrawlError) => void;
}

/** How long it waits when this is not the moment for a checkpoint. */
const LOOK_AGAIN_MS = 5;

/** What a frontier answers. */
type Changes = NonNullable<Parameters<Parameters<Frontier["checkpoint"]>[0]>[1]>;

export class AgentSaver {
  readonly #parts: AgentSaverParts;
  /** Of the frontiers. */
  readonly #rows: readonly Map<string, Uint8Array>[];

  /** The work counter when the last checkpoint began. */
  #savedChanges = -1;

  constructor(parts: AgentSaverParts) {
    this.#parts = parts;
    const { lanes, last } = parts;
    this.#rows = lanes.map((_lane, number) => new Map(last?.lanes[number]?.frontier.rows));
  }

  /** From now on, one after the other. */
  start(): void {
    this.#parts.clock.after(this.#parts.everyMs, () => this.#save());
  }

  /** A checkpoint that found no room is taken again. */
  readonly #failed = (error: CrawlError): void => {
    const { clock, failed } = this.#parts;
    this.#savedChanges = -1;
    if (isFull(error)) clock.after(RETRY_FULL_MS, () => this.#save());
    else failed(error);
  };

  #save(): void {
    const { clock, node, pages, open } = this.#parts;
    if (node.changes === this.#savedChanges && !node.checkpoints.isAwaited) {
      this.start();
      return;
    }
    if (!node.checkpoints.isSettled) {
      clock.after(LOOK_AGAIN_MS, () => this.#save());
      return;
    }
    this.#savedChanges = node.changes;
    const end = open.begin(pages.end);
    const gathered = new Gathered<{ mark: NodeMark; lanes: readonly SavedLane[] }>(
      ["mark", "lanes"],
      withValue(this.#failed, ({ mark, lanes }) => {
        const { elapsedMs } = node.limits;
        this.#write({ lanes, mark, pages: end, elapsedMs });
      }),
    );
    node.checkpoints.begin(gathered.take("mark"));
    this.#saveLanes(gathered.take("lanes"));
  }

  #saveLanes(done: Done<readonly SavedLane[]>): void {
    const { lanes } = this.#parts;
    const gathered = new Gathered<Record<number, SavedLane>>(
      [...lanes.keys()],
      withValue(done, (saved) => done(null, Object.values(saved))),
    );
    for (const [number, lane] of lanes.entries()) {
      lane.whenSettled(() => this.#saveLane(number, lane, gathered.take(number)));
    }
  }

  #saveLane(number: number, { frontier, foreign }: SimLane, done: Done<SavedLane>): void {
    const gathered = new Gathered<{ changes: Changes; foreign: string }>(
      ["changes", "foreign"],
      withValue(done, ({ changes, foreign: marks }) =>
        done(null, { frontier: this.#whole(number, changes), foreign: marks }),
      ),
    );
    frontier.checkpoint(gathered.take("changes"));
    foreign.sieve.checkpoint(gathered.take("foreign"));
  }

  /** The checkpoint that the changes make of the last one. */
  #whole(lane: number, { marks, rows, dropped }: Changes): FrontierCheckpoint {
    const whole = this.#rows[lane] as Map<string, Uint8Array>;
    for (const name of dropped) whole.delete(name);
    for (const [name, bytes] of rows) whole.set(name, Uint8Array.from(bytes));
    return { marks, rows: new Map(whole) };
  }

  #write(saved: SavedAgent): void {
    const { storage, node, lanes, pages } = this.#parts;
    const failed = this.#failed;
    const recorded = (): void => {
      for (const { frontier, foreign } of lanes) {
        frontier.committed();
        foreign.sieve.committed();
      }
      node.checkpoints.recorded(saved.mark);
      this.start();
    };
    const write = (): void => writeSaved(storage, saved, whenDone(failed, recorded));
    node.checkpoints.whenTold(whenDone(failed, () => pages.commit(whenDone(failed, write))));
  }
}
