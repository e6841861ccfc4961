/**
 * Where the seeds lead. A seed that redirects widens the scope to its target, which may redirect in
 * turn; such a *trail* is open until a page, a failure or a refusal ends it.
 *
 * While trails are open the scope may still grow, so links that it refuses are kept meanwhile: the
 * pages of a crawl must not depend on which seed answered first. Memory is bounded: beyond the limit
 * links are refused for good, which matters only if tens of thousands of links lead to where other
 * seeds have not yet redirected. A redirect adds one host, domain or page to the scope, so only the
 * links of that group are looked at.
 */
import { type Fingerprint, FingerprintTable } from "../../base/fingerprints/index.ts";
import type { FollowedLink } from "../../parse/page/index.ts";

const WAITING_MAX = 50_000;

/** Trails that are open, and the links that wait for them. */
export interface SavedTrails<Link> {
  readonly open: readonly Fingerprint[];
  readonly waiting: readonly (readonly [group: string, links: readonly Link[]])[];
}

export class SeedTrails {
  readonly #open = new FingerprintTable(null);
  /** By the group of the scope. */
  readonly #waiting = new Map<string, FollowedLink[]>();
  #count = 0;

  /** Whether the scope may still grow. */
  get isOpen(): boolean {
    return this.#open.count > 0;
  }

  /** A seed, or where one redirects. */
  begin({ high, low }: Fingerprint): void {
    this.#open.set(high, low);
  }

  has({ high, low }: Fingerprint): boolean {
    return this.#open.count > 0 && this.#open.has(high, low);
  }

  end({ high, low }: Fingerprint): void {
    if (this.#open.count === 0) return;
    this.#open.delete(high, low);
    if (this.#open.count > 0) return;
    this.#waiting.clear();
    this.#count = 0;
  }

  /** Keeps a link of this group that the scope refuses so far. */
  keep(group: string, link: FollowedLink): void {
    if (this.#open.count === 0 || this.#count >= WAITING_MAX) return;
    this.#count += 1;
    const links = this.#waiting.get(group);
    if (links === undefined) this.#waiting.set(group, [link]);
    else links.push(link);
  }

  save<Link>(saveLink: (link: FollowedLink) => Link): SavedTrails<Link> {
    const open: Fingerprint[] = [];
    this.#open.each((high, low) => open.push({ high, low }));
    const waiting = Array.from(
      this.#waiting,
      ([group, links]) => [group, links.map(saveLink)] as const,
    );
    return { open, waiting };
  }

  /** Links that can no longer be made are left out. */
  restore<Link>(
    { open, waiting }: SavedTrails<Link>,
    restoreLink: (link: Link) => FollowedLink | null,
  ): void {
    for (const trail of open) this.begin(trail);
    for (const [group, links] of waiting) {
      for (const saved of links) {
        const link = restoreLink(saved);
        if (link !== null) this.keep(group, link);
      }
    }
  }

  /** Hands back the links of a group that are wanted now. */
  take(group: string, isWanted: (link: FollowedLink) => boolean): readonly FollowedLink[] {
    const links = this.#waiting.get(group);
    if (links === undefined) return [];
    const wanted = links.filter(isWanted);
    if (wanted.length === links.length) this.#waiting.delete(group);
    else if (wanted.length > 0) {
      this.#waiting.set(
        group,
        links.filter((link) => !isWanted(link)),
      );
    }
    this.#count -= wanted.length;
    return wanted;
  }
}
