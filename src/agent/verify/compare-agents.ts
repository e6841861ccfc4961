/**
 * Compares the directories of agents that share a crawl with one another, at rest: what one counts as
 * acknowledged by another has arrived there (I3), what is said of the pages of a disk is true of it (I5), and no
 * disk is an older copy of what others have heard.
 * Agents whose directories are not given, or were not checked, are left out. What is said is sorted on disk.
 */
import { type Fingerprint, printFingerprint } from "../../base/fingerprints/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import { type Place, placeText } from "../../cluster/messages/index.ts";
import { LineSorter } from "../../store/export/index.ts";
import { type ProblemList, SORTED_BYTES_MAX } from "../../store/query/index.ts";
import { type CheckedCluster, JOIN_ANEW } from "./check-cluster.ts";
import type { SharedFindings } from "./verify-directory.ts";

export class AgentsComparison {
  readonly #lines: LineSorter;
  /** By the names of the directories. */
  readonly #checked = new Map<string, CheckedCluster>();

  /** `path` is that of a file for what does not fit into memory. */
  constructor(path: string) {
    this.#lines = new LineSorter(path, SORTED_BYTES_MAX);
  }

  /** What is said of the directory with this name. */
  findingsOf(name: string): SharedFindings {
    return {
      had: (page: Fingerprint) => this.#lines.add(`${printFingerprint(page)}\thad\t${name}`),
      claimed: (place: Place, entry: UrlEntry) => {
        const claim = [printFingerprint(entry), "says", name, placeText(place), entry.host];
        this.#lines.add(claim.join("\t"));
      },
      cluster: (checked) => this.#checked.set(name, checked),
    };
  }

  compare(problems: ProblemList): void {
    for (const [name, { outboxes, members }] of this.#checked) {
      for (const member of members) this.#compareLife(name, member, problems);
      for (const outbox of outboxes) this.#compareStream(name, outbox, problems);
    }
    let page = "";
    let having = new Set<string>();
    for (const line of this.#lines.sorted()) {
      const [found = "", kind = "", name = "", place = "", host = ""] = line.split("\t");
      if (found !== page) having = new Set();
      page = found;
      // Those who have it come first, since "had" is before "says".
      if (kind === "had") having.add(name);
      else this.#compareClaim({ name, place, host }, having, problems);
    }
  }

  close(): void {
    this.#lines.close();
  }

  /** What a disk has said in a life is durable there before (D1). */
  #compareLife(
    name: string,
    { place, incarnation }: CheckedCluster["members"][number],
    problems: ProblemList,
  ): void {
    const other = this.#nameOf(placeText(place));
    const own = other === null ? null : this.#checked.get(other)?.incarnation;
    if (other === null || own == null || own >= incarnation) return;
    problems.add({
      ...{ file: `${other}/cluster/members`, at: null, url: null },
      problem:
        `it knows of ${own} lives of this disk, and ${name} has heard the agent in life ${incarnation}: it is an ` +
        "older copy, and has forgotten what it has acknowledged since",
      remedy: `${JOIN_ANEW}.`,
    });
  }

  #compareStream(
    name: string,
    { place, stream, acknowledged }: CheckedCluster["outboxes"][number],
    problems: ProblemList,
  ): void {
    const other = this.#nameOf(placeText(place));
    if (other === null || stream === null) return;
    const arrived = this.#checked.get(other)?.inbound.get(stream) ?? 0;
    if (arrived >= acknowledged) return;
    problems.add({
      ...{ file: `${other}/inbox/in.log`, at: null, url: null },
      problem:
        `${name} has told it ${acknowledged} bytes that it has acknowledged, and it knows of ${arrived}: URLs ` +
        "may be missing here that nobody tells it again. It is an older copy, or was damaged",
      remedy: `${JOIN_ANEW}.`,
    });
  }

  #compareClaim(
    { name, place, host }: { name: string; place: string; host: string },
    having: ReadonlySet<string>,
    problems: ProblemList,
  ): void {
    const other = this.#nameOf(place);
    if (other === null || having.has(other)) return;
    problems.add({
      ...{ file: `${name}/held/${place}`, at: null, url: null },
      problem:
        `it says that ${place} has a page of ${host} that is not in ${other}: nobody fetches that page. ` +
        `${other} is an older copy, or was damaged`,
      remedy: `Do so for ${other}: ${JOIN_ANEW}.`,
    });
  }

  /** The directory that is this place; null if it is none of those that were checked. */
  #nameOf(text: string): string | null {
    for (const [name, { place }] of this.#checked) {
      if (place !== null && placeText(place) === text) return name;
    }
    return null;
  }
}
