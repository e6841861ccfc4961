/**
 * Agents that speak another major version of the messages. What they say is dropped, so they seem silent;
 * but they are there, and may be fetching. Each is told of once. An agent that joins waits as long as it
 * hears a member of its crawl speak so (`barrier/join-barrier.ts`): both would visit the same hosts, once
 * each has given the other up for its silence.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import type { AgentId } from "../../../base/transport/index.ts";
import { MAJOR } from "../../messages/index.ts";
import type { Core } from "../core.ts";
import { MEMBERS_MAX } from "./member-table.ts";

export class OtherVersions {
  readonly #core: Core;
  /** When each was last heard. */
  readonly #heardAtMs = new Map<AgentId, number>();

  constructor(core: Core) {
    this.#core = core;
  }

  heard(id: AgentId, major: number): void {
    const { clock, listener } = this.#core;
    const isNew = !this.#heardAtMs.has(id);
    if (isNew && this.#heardAtMs.size >= MEMBERS_MAX) return;
    this.#heardAtMs.set(id, clock.nowMs());
    if (isNew) listener.trouble(versionDiffers(id, major));
  }

  /** Whether a member of this crawl was heard to speak so, and nothing that is understood since. */
  get areMembers(): boolean {
    const { clock, table, settings } = this.#core;
    const sinceMs = clock.nowMs() - settings.deadAfterMs;
    return [...this.#heardAtMs].some(([id, heardAtMs]) => {
      const entry = table.get(id);
      if (entry === undefined || entry.isGivenUp) return false;
      return heardAtMs > sinceMs && heardAtMs > entry.heardAtMs;
    });
  }
}

function versionDiffers(id: AgentId, major: number): CrawlError {
  return new CrawlError(
    "CLUSTER_VERSION_DIFFERS",
    `The agent ${id} speaks version ${major} of the messages between agents, and this one version ` +
      `${MAJOR}: neither understands the other. Stop all agents of the crawl, then start all with the ` +
      "same version of Trobar. An agent that starts meanwhile waits, and fetches nothing.",
    { id, major, known: MAJOR },
  );
}
