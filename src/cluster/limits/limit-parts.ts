/** What limits are made of, and what their parts share. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Storage } from "../../base/seams/index.ts";
import type { Messenger } from "../messages/index.ts";
import type { StateFile } from "../state/index.ts";
import type { Account } from "./account.ts";
import type { CrawlTime } from "./crawl-time.ts";
import type { LimitSettings } from "./limit-settings.ts";
import type { LimitView } from "./limit-view.ts";

/** What the agent has to do, as limits see it. */
export interface LimitedWork {
  /**
   * Whether URLs wait here that this agent may fetch, now or later, as soon as it has tokens. Not while
   * it joins, leaves, or is fenced.
   */
  readonly isWaiting: boolean;
}

export interface ClusterLimitsParts {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly messenger: Pick<Messenger, "ask" | "serve">;
  readonly view: LimitView;
  readonly work: LimitedWork;
  /** Read whenever they are needed, so they may change. */
  readonly settings: LimitSettings;
  /** What may be begun is another, or whether everything is settled. May be called inside any call. */
  readonly changed: () => void;
  readonly trouble: (error: CrawlError) => void;
}

/** What the parts of limits share once they are open. */
export interface LimitCore extends Omit<ClusterLimitsParts, "storage" | "trouble"> {
  readonly account: Account;
  readonly file: StateFile;
  readonly time: CrawlTime;
  /** Whether the time is over is another. */
  readonly timeChanged: () => void;
  /** Whether this agent has work for what it has: it waits, and lacks nothing. */
  readonly canUse: () => boolean;
  readonly isClosed: () => boolean;
}
