/**
 * `logs/refused.log` (`store.refused`): URLs that were not taken up, one readable line each, with the
 * reason, the rule and the page on which the URL was found. It is a log of lines like the crawl log.
 *
 * Most links of a crawl may be refused, so lines are a sample: of each reason the first thousand, then
 * every hundredth. The number in a line says how many the reason had by then. If the disk cannot keep up
 * or refuses a line, lines are left out; they are needed less than what a crawl fetches.
 */
import { type Log, openLog, viewLog } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Clock,
  type Done,
  type FileName,
  type Random,
  type Storage,
  type Timer,
  withValue,
} from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { clipped, lineField, NO_FIELD } from "./line-field.ts";

export interface RefusedUrl {
  readonly reason: string;
  readonly url: string;
  /** The page that leads there; null for a seed. */
  readonly via: string | null;
  /** What decided: a key of the configuration and its value, or a line of a robots.txt; null if unknown. */
  readonly rule: string | null;
}

/** A line, read back. */
export interface RefusedLine extends RefusedUrl {
  readonly atMs: number;
  /** How many the reason had by then, this one included. */
  readonly number: number;
}

const REFUSED_LOG: FileName = "logs/refused";

/** Of each reason all are written up to this number, then every hundredth. */
const WHOLE_MAX = 1000;
const SAMPLED_EVERY = 100;

const WRITTEN_EVERY_MS = SECOND_MS;
const URL_LENGTH_MAX = 8192;
const RULE_LENGTH_MAX = 1000;
const FIELDS = 6;

interface RefusedLogParts {
  readonly storage: Storage;
  readonly clock: Clock;
  /** The salt of a new log is drawn from it. */
  readonly random: Random;
}

export class RefusedLog {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #timer: Timer | null = null;
  #isClosed = false;

  private constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  static open({ storage, clock, random }: RefusedLogParts, done: Done<RefusedLog>): void {
    const options = { storage, random, name: REFUSED_LOG, framing: "line" as const };
    openLog(
      options,
      withValue(done, ({ log }) => done(null, new RefusedLog(log, clock))),
    );
  }

  /** Whether the next URL with this reason gets a line; if not, it is only to be counted. */
  wants(reason: string): boolean {
    const next = (this.#counts.get(reason) ?? 0) + 1;
    return next <= WHOLE_MAX || next % SAMPLED_EVERY === 0;
  }

  /** URLs with this reason that get no line. */
  count(reason: string, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  /** Counts a URL and writes its line. */
  write(refused: RefusedUrl): void {
    const { reason } = refused;
    this.count(reason);
    if (this.#isClosed) return;
    const atMs = this.#clock.wallMs();
    const line = printLine({ ...refused, atMs, number: this.#counts.get(reason) ?? 0 });
    this.#log.tryAppend(Buffer.from(line, "latin1"));
    this.#timer ??= this.#clock.after(WRITTEN_EVERY_MS, () => this.#flush());
  }

  /** Answers when what was written is durable. What the disk refuses is dropped. */
  close(done: Acknowledge): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#log.commit(() => this.#log.close(() => done(null)));
  }

  #flush(): void {
    this.#timer = null;
    // Where nothing more fits, only a commit makes room.
    if (this.#log.isFull) this.#log.commit(() => undefined);
    else this.#log.flush(() => undefined);
  }
}

function printLine({ atMs, reason, number, url, via, rule }: RefusedLine): string {
  const words = [
    ...[new Date(atMs).toISOString(), lineField(reason), number],
    ...[lineField(clipped(url, URL_LENGTH_MAX)), lineField(clipped(via, URL_LENGTH_MAX))],
    lineField(clipped(rule, RULE_LENGTH_MAX)?.replaceAll("%", "%25") ?? null),
  ];
  return words.join(" ");
}

/**
 * Reads the lines from outside, whether or not a crawl is writing them; `take` returns false to end the
 * reading. Nothing is read where there is no such log, or none that can be read.
 */
export function readRefusedLog(
  storage: Storage,
  take: (line: RefusedLine) => boolean,
  done: Acknowledge,
): void {
  viewLog(storage, REFUSED_LOG, (failure, log) => {
    if (failure !== null) return done(null);
    const reader = log.reader();
    const next = (): void =>
      reader.read((error, batch) => {
        const isOver = error !== null || (batch.count === 0 && batch.damage.length === 0);
        let wantsMore = !isOver;
        for (let at = 0; wantsMore && at < (batch?.count ?? 0); at += 1) {
          const line = parseLine(Buffer.from(batch?.payloadOf(at) ?? []).toString("latin1"));
          wantsMore = line === null || take(line);
        }
        if (wantsMore) next();
        else reader.close(() => done(error));
      });
    next();
  });
}

/** Null for what is not such a line. Escapes in URLs stay as they are; those of the rule are undone. */
function parseLine(text: string): RefusedLine | null {
  const words = text.split(" ");
  const [time = "", reason = "", number = "", url = "", via = "", rule = ""] = words;
  const atMs = Date.parse(time);
  if (words.length !== FIELDS || Number.isNaN(atMs) || !/^\d+$/.test(number)) return null;
  const readable = rule === NO_FIELD ? null : unescaped(rule);
  const found = via === NO_FIELD ? null : via;
  return { atMs, reason, number: Number(number), url, via: found, rule: readable };
}

function unescaped(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
