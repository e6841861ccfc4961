/**
 * The URLs that a crawl does not take up, for `logs/refused.log`: each with the rule that decided. Only
 * crawls with `store.refused` have this.
 */
import type { RefusedSeed } from "../../../frontier/front/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import type { RefusedLog } from "../../../store/archive/index.ts";
import { decidingRule } from "../../explain/deciding-rule.ts";

export interface RefusalNotes {
  note(reason: string, url: string, via: string | null): void;
}

export class Refusals implements RefusalNotes {
  readonly #log: RefusedLog;
  readonly #configuration: Configuration;

  constructor(log: RefusedLog, configuration: Configuration) {
    this.#log = log;
    this.#configuration = configuration;
  }

  /** `rule` is a line of a robots.txt; if left out, the key that decides. */
  note(reason: string, url: string, via: string | null, rule?: () => string | null): void {
    if (!this.#log.wants(reason)) this.#log.count(reason);
    else {
      const decided = rule?.() ?? decidingRule(reason, this.#configuration);
      this.#log.write({ reason, url, via, rule: decided });
    }
  }

  /** URLs that were dropped from a queue unseen. */
  dropped(reason: RefusedSeed["reason"], count: number): void {
    this.#log.count(reason, count);
  }
}
