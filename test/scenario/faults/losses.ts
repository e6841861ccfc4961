/**
 * What agents may ask for again: what was in flight, or perhaps in no file yet, when one of them was killed,
 * and what only a lost disk had. Whose line was in a crawl log by then is known, and not asked for again.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WebRequest } from "./judged-web.ts";

/**
 * Of each host: what is under way, and what was answered before it, whose line is perhaps not yet written. The
 * visit before that had ended a whole delay earlier, and lines are written much sooner.
 */
const OPEN_MAX = 2;
/** What a process sent before it died is read by the web somewhat later. */
const LATE_MS = 200;

interface Kill {
  readonly atMs: number;
  /** Places with a line in the crawl log of an agent that has its disk. */
  readonly known: ReadonlySet<string>;
}

export class Losses {
  readonly #kills: Kill[] = [];
  /** Places of which all copies were lost, or were out of reach; once for each time. */
  readonly #gone: string[] = [];

  /** A process has just died, or was stopped; `folders` are those of all agents that have their disks. */
  killed(atMs: number, folders: readonly string[]): void {
    this.#kills.push({ atMs, known: new Set(folders.flatMap(placesLogged)) });
  }

  /** Others do without what is logged in these directories. */
  gone(...folders: readonly string[]): void {
    this.#gone.push(...new Set(folders.flatMap(placesLogged)));
  }

  /** Each page as often as it may be asked for again. */
  keys(requests: readonly WebRequest[]): readonly string[] {
    const pages = requests.filter(({ isRobots }) => !isRobots);
    const keys = new Map(pages.map(({ place, key }) => [place, key]));
    const hosts = [...Map.groupBy(pages, ({ place }) => place.split("/")[0]).values()];
    const inFlight = this.#kills.flatMap(({ atMs, known }) => {
      const open = hosts.flatMap((visits) =>
        visits
          .filter(({ startMs }) => startMs < atMs + LATE_MS)
          .toSorted((one, other) => one.startMs - other.startMs)
          .slice(-OPEN_MAX),
      );
      const unknown = open.filter(({ place }) => !known.has(place));
      return [...new Set(unknown.map(({ key }) => key))];
    });
    return [...inFlight, ...this.#gone.flatMap((place) => keys.get(place) ?? [])];
  }
}

/** Pages with a last line in the crawl log of this directory. */
function placesLogged(folder: string): readonly string[] {
  const file = join(folder, "logs", "crawl.log");
  const lines = existsSync(file) ? readFileSync(file, "latin1").split("\n").slice(0, -1) : [];
  return lines.flatMap((line) => {
    const [, , , url = "", ...more] = line.split("\t")[0]?.split(" ") ?? [];
    return more.includes("retry") ? [] : [url.replace(/^http:\/\/([^:/]*):\d+/, "$1")];
  });
}
