/**
 * What can be asked of a running crawl and done to it, free of HTTP: every interface for people and
 * programs goes through here. Nothing that is asked for harms the crawl: what cannot be done is refused
 * by a `CrawlError`, and leaves everything as it was.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { Frontier, HostView } from "../../frontier/front/index.ts";
import type { Crawl } from "../crawl/crawl.ts";
import type { CrawlSummary } from "../crawl/crawl-summary.ts";
import { type AddedSeed, addSeeds } from "./added-seeds.ts";
import { type HostPage, type HostQuery, listHosts } from "./host-list.ts";
import { UnitControl } from "./unit-control.ts";

type HostChange = Parameters<Frontier["changeHost"]>[1];
type ChangedHost = ReturnType<Frontier["changeHost"]>;

export class CrawlControl {
  readonly #crawl: Crawl;
  /** Units, settings and the topology. */
  readonly units: UnitControl;

  constructor(crawl: Crawl) {
    this.#crawl = crawl;
    this.units = new UnitControl(crawl);
  }

  status(): CrawlSummary {
    return this.#crawl.summary();
  }

  /** Nothing new is begun until `resume`; what is in flight ends. Fine if it is paused already. */
  pause(): void {
    this.#refuseIfOver();
    this.#crawl.pause();
  }

  resume(): void {
    this.#refuseIfOver();
    this.#crawl.resume();
  }

  /** Ends the crawl so that it can be continued. Fetches in flight get some time unless `immediate`. */
  stop({ immediate = false }: { readonly immediate?: boolean } = {}): void {
    this.#crawl.stop(immediate);
  }

  /** Rejects with `CONTROL_OVER` if the crawl has ended, or `DIRECTORY_FAILED` if it cannot be recorded. */
  async addSeeds(seeds: readonly string[]): Promise<readonly AddedSeed[]> {
    await this.#crawl.begun;
    this.#refuseIfOver();
    return addSeeds(this.#crawl, seeds);
  }

  /** Hosts that were met, in pages. */
  hosts(query: HostQuery): Promise<HostPage> {
    const { parts, made } = this.#crawl;
    return listHosts(parts.frontier, made.clock, query);
  }

  /** Null for a host that was never met. */
  async host(host: HostName): Promise<HostView | null> {
    return this.#crawl.parts.frontier.hosts.find(host);
  }

  /** Also for a host that was not met yet. */
  async changeHost(host: HostName, change: HostChange): Promise<ChangedHost> {
    this.#refuseIfOver();
    const changed = this.#crawl.parts.frontier.changeHost(host, change);
    this.#crawl.woken();
    return changed;
  }

  #refuseIfOver(): void {
    const { state } = this.status();
    if (state === "running" || state === "paused") return;
    throw new CrawlError(
      "CONTROL_OVER",
      `The crawl is ending or has ended (${state}). Start it again to change it.`,
    );
  }
}
