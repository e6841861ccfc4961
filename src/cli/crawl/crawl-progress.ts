/**
 * What a user sees while a crawl runs, on standard error: on a terminal a block of up to three
 * lines that is overwritten, on one that cannot do that (`TERM=dumb`) a plain line now and then,
 * elsewhere JSON lines, at the start, every ten seconds and at the end. Whatever else is to be said
 * while it runs goes through here, so that it stands above the block and not inside it.
 */
import type { CrawlSummary, SeedFailure } from "../../agent/index.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Clock, Timer } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { Terminal } from "../shell/terminal.ts";
import { plural } from "./figures.ts";
import { type RecoveryAccount, recoveredText } from "./going-on.ts";
import { RateWindow } from "./rate-window.ts";
import { retryInMs, SeedFailureTeller } from "./seed-failures.ts";
import { type StatusFacts, statusLine, statusLines } from "./status-block.ts";
import { WholeCrawl, wholeJson } from "./whole-crawl.ts";

const BLOCK_EVERY_MS = SECOND_MS / 2;
const LINES_EVERY_MS = 10 * SECOND_MS;
const RATE_WINDOW_MS = 10 * SECOND_MS;
const STEADY_WINDOW_MS = 60 * SECOND_MS;

/** The part of a crawl that is shown. */
export interface ProgressSource {
  summary(): CrawlSummary;
  /** Errands in progress. */
  readonly open: number;
  readonly configuration: Pick<Configuration, "limits" | "politeness" | "fetch">;
  readonly life: { readonly isContinued: boolean; readonly wasKilled: boolean };
}

export interface CrawlProgressOptions {
  readonly clock: Clock;
  readonly terminal: Terminal;
  /** Then only trouble and failures of seeds are reported. */
  readonly isQuiet: boolean;
}

export class CrawlProgress {
  readonly #options: CrawlProgressOptions;
  readonly #failures: SeedFailureTeller;
  readonly #pages = new RateWindow(RATE_WINDOW_MS);
  readonly #steadyPages = new RateWindow(STEADY_WINDOW_MS);
  readonly #steadyBytes = new RateWindow(STEADY_WINDOW_MS);
  #source: ProgressSource | null = null;
  #timer: Timer | null = null;
  /** Null for a crawl that is alone. */
  #whole: WholeCrawl | null = null;
  /** The block on the terminal; empty when there is none. */
  #shown: readonly string[] = [];

  constructor(options: CrawlProgressOptions) {
    this.#options = options;
    this.#failures = new SeedFailureTeller(options.terminal, (text) => this.say(text));
  }

  /** To be called before `start` for a part of a crawl: how the whole goes is asked for. */
  partOf(ask: () => Promise<CrawlSummary>): void {
    if (!this.#options.isQuiet) this.#whole = new WholeCrawl(this.#options.clock, ask);
  }

  start(source: ProgressSource): void {
    this.#source = source;
    if (this.#options.isQuiet) return;
    this.#whole?.start();
    this.#tellEvent("started");
    this.#show();
    this.#showLater();
  }

  /** The user wants it to end. */
  ending(): void {
    if (this.#options.isQuiet || this.#source === null) return;
    const { open } = this.#source;
    if (!this.#options.terminal.isLive) this.#tellEvent("ending");
    else {
      const what = open === 0 ? "" : ` when ${plural(open, "fetch")} in flight ended`;
      this.say(
        `trobar: ending${what}, within seconds; Ctrl-C again ends at once, and then the crawl ` +
          "cannot be continued\n",
      );
    }
  }

  /** Leaves the terminal at the beginning of an empty line. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#whole?.stop();
    this.#clear();
    if (!this.#options.isQuiet) this.#tellEvent("ended");
  }

  /** Says something above the block. */
  say(text: string): void {
    const { length } = this.#shown;
    this.#clear();
    this.#options.terminal.err(text);
    if (length > 0) this.#show();
  }

  /** Something that people are told, and programs see from the events. */
  note(text: string): void {
    if (this.#options.terminal.isLive) this.say(`trobar: ${text}\n`);
  }

  /** Something that people are told in a sentence, and programs in a line of JSON. */
  event(event: string, facts: object, text: string): void {
    if (this.#options.isQuiet) return;
    if (this.#options.terminal.isLive) this.note(text);
    else this.say(`${JSON.stringify({ event, ...facts })}\n`);
  }

  /** Trouble is reported even if no progress is wanted; JSON lines are for programs. */
  trouble({ code, message }: CrawlError): void {
    if (this.#options.terminal.isLive) this.say(`trobar: ${message}\n`);
    else this.say(`${JSON.stringify({ event: "trouble", code, message })}\n`);
  }

  /** A crawl that was killed goes on. */
  recovered(account: RecoveryAccount): void {
    const { isQuiet, terminal } = this.#options;
    if (isQuiet) return;
    if (terminal.isLive) this.note(recoveredText(account));
    else this.say(`${JSON.stringify({ event: "recovered", ...account })}\n`);
  }

  /** `retryAtMs` is null when the seed is not tried again. */
  seedFailed(failure: SeedFailure, retryAtMs: number | null): void {
    this.#failures.tell(failure, retryInMs(retryAtMs, this.#options.clock.nowMs()));
  }

  #showLater(): void {
    const { clock, terminal } = this.#options;
    const everyMs = terminal.canRewrite ? BLOCK_EVERY_MS : LINES_EVERY_MS;
    this.#timer = clock.after(everyMs, () => {
      if (!terminal.isLive) this.#tellEvent("progress");
      else if (terminal.canRewrite) this.#show();
      else terminal.err(`${statusLine(this.#facts())}\n`);
      this.#showLater();
    });
  }

  /** Where nobody watches, a program may. */
  #tellEvent(event: "started" | "progress" | "ending" | "ended"): void {
    const { terminal } = this.#options;
    if (terminal.isLive || this.#source === null) return;
    const { isContinued, wasKilled } = this.#source.life;
    const facts =
      event === "started" ? { event, continued: isContinued, killed: wasKilled } : { event };
    const whole = this.#whole?.facts ?? null;
    const { limits } = this.#source.configuration;
    const together = whole === null ? {} : { whole: wholeJson(whole, limits) };
    terminal.err(`${JSON.stringify({ ...facts, ...this.#source.summary(), ...together })}\n`);
  }

  #show(): void {
    const { terminal } = this.#options;
    if (!terminal.isLive || !terminal.canRewrite) return;
    const lines = statusLines(this.#facts(), terminal.columns);
    terminal.err(`${this.#erasure()}${lines.join("\n")}`);
    this.#shown = lines;
  }

  #clear(): void {
    if (this.#shown.length > 0) this.#options.terminal.err(this.#erasure());
    this.#shown = [];
  }

  /** Goes to the beginning of the block and erases it; after a resize its lines may be broken. */
  #erasure(): string {
    if (this.#shown.length === 0) return "";
    const { columns } = this.#options.terminal;
    let rows = -1;
    for (const line of this.#shown) rows += Math.max(1, Math.ceil(line.length / columns));
    return `\r${rows > 0 ? `\u001b[${rows}A` : ""}\u001b[J`;
  }

  #facts(): StatusFacts {
    const { clock } = this.#options;
    const source = this.#source as ProgressSource;
    const { configuration } = source;
    const summary = source.summary();
    const nowMs = clock.nowMs();
    this.#pages.add(nowMs, summary.pages);
    this.#steadyPages.add(nowMs, summary.pages);
    this.#steadyBytes.add(nowMs, summary.bytes);
    return {
      ...{ summary, configuration, open: source.open },
      ...(this.#whole === null ? {} : { whole: this.#whole.facts }),
      pagesPerSecond: this.#pages.perSecond,
      steady: {
        pagesPerSecond: this.#steadyPages.perSecond,
        bytesPerSecond: this.#steadyBytes.perSecond,
      },
    };
  }
}
