/**
 * The model of a synthetic web: hosts, slots, paths and links, all drawn from profile and seed.
 * What is served and what is true are both derived from it, independently of each other.
 */

import { RobotsDirectives } from "../pages/robots-directives.ts";
import type { Profile } from "../profile/profile.ts";
import { Chance } from "./chance.ts";
import { HostModel } from "./host-model.ts";
import { LinkModel } from "./link-model.ts";
import { SlotModel } from "./slot-model.ts";
import { SlotPaths } from "./slot-paths.ts";

export interface WebOptions {
  readonly profile: Profile;
  readonly seed: string | number;
  /** The port in all URLs; 80, which URLs leave out, unless said otherwise. */
  readonly port?: number;
  /** The name by which robots.txt and pages address the crawler; `trobar` unless said otherwise. */
  readonly robotsToken?: string;
}

export class WebModel {
  readonly profile: Profile;
  readonly seed: string;
  readonly port: number;
  readonly robotsToken: string;
  readonly hosts: HostModel;
  readonly slots: SlotModel;
  readonly paths: SlotPaths;
  readonly links: LinkModel;
  readonly directives: RobotsDirectives;
  readonly #portText: string;

  constructor({ profile, seed, port = 80, robotsToken = "trobar" }: WebOptions) {
    this.profile = profile;
    this.seed = String(seed);
    this.port = port;
    this.robotsToken = robotsToken;
    this.#portText = port === 80 ? "" : `:${port}`;
    this.hosts = new HostModel(this.seed, profile);
    this.slots = new SlotModel(this.seed, profile, this.hosts);
    const { international } = profile.spelling;
    const sizeOf = (content: number) => this.hosts.size(content);
    this.paths = new SlotPaths(this.seed, international, this.slots, sizeOf);
    this.links = new LinkModel(this.seed, profile, this.hosts, this.slots);
    const { noarchive } = profile.directives;
    this.directives = new RobotsDirectives(this.seed, noarchive, robotsToken);
  }

  /** Chance for one purpose, the same in every run of this web. */
  chance(purpose: string): Chance {
    return new Chance(this.seed, purpose);
  }

  /** Scheme, name and port. */
  originOf(name: string): string {
    return `http://${name}${this.#portText}`;
  }

  /** The URL of a slot, in the form in which it is sent. */
  url(host: number, slot: number, variant = 0, isAlias = false): string {
    const { names } = this.hosts;
    const name = isAlias ? names.aliasOf(host) : names.nameOf(host);
    return this.originOf(name) + this.paths.target(this.hosts.contentOf(host), slot, variant);
  }
}
