/**
 * Pages of a crawl that several agents share, asked of one of them while it runs: it asks the others. Who
 * does not answer is named among the faults.
 */
import { isCrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { printable } from "../../base/text/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { PageRow, RowLink } from "../../store/export/index.ts";
import type { ApiClient } from "../control/api-client.ts";
import { notACursor } from "./directory-view.ts";
import type { AnswerOutcome, StoreBatch, StoreView, StoreWishes } from "./store-view.ts";

interface Missing {
  readonly missing?: readonly { readonly agent: string; readonly why: string }[];
}

interface PagesAnswer extends Missing {
  readonly pages: readonly PageRow[];
  readonly cursors: readonly string[];
  readonly cursor: string | null;
  readonly end: string;
}

interface LinksAnswer extends Missing {
  readonly links: readonly RowLink[];
  readonly cursor: string | null;
}

interface AnswerAnswer {
  readonly statusLine: string | null;
  readonly headers: readonly (readonly [string, string])[] | null;
  readonly body: string | null;
}

const AT_ONCE = 1000;
const LOOK_AGAIN_MS = SECOND_MS;

export class ClusterView implements StoreView {
  readonly unarchived: string | null = null;
  readonly partNote: string | null = null;
  readonly #client: Pick<ApiClient, "ask">;
  readonly #wishes: StoreWishes;
  readonly #faults: string[] = [];

  /** All its pages have what is wished for. */
  constructor(client: Pick<ApiClient, "ask">, wishes: StoreWishes) {
    this.#client = client;
    this.#wishes = wishes;
  }

  get faults(): readonly string[] {
    return this.#faults;
  }

  async *pages(after: string | null): AsyncGenerator<StoreBatch> {
    for (let from = after; ; ) {
      const { cursor, ...found } = await this.#pagesAfter(from);
      yield { ...found, damagedBytes: 0 };
      if (cursor === null) return;
      from = cursor;
    }
  }

  /** Ends with the agent that is asked. */
  async *follow(
    after: string | null,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): AsyncGenerator<StoreBatch> {
    for (let from = after; !signal.aborted; ) {
      const found = await this.#pagesAfter(from).catch(unlessGone);
      if (found === null) return;
      if (found.pages.length > 0) yield { ...found, damagedBytes: 0 };
      from = found.cursor ?? found.end;
      if (found.cursor === null) await passed(clock, signal);
    }
  }

  async find(url: string): Promise<PageRow | null> {
    const query = new URLSearchParams({ url, ...this.#wished });
    const found = await this.#known<PagesAnswer>(`/pages?${query}`);
    return found?.pages[0] ?? null;
  }

  async whole(page: PageRow): Promise<PageRow> {
    return page;
  }

  async record({ url }: PageRow): Promise<AnswerOutcome> {
    try {
      const query = new URLSearchParams({ url });
      const { statusLine, headers, body } = await this.#get<AnswerAnswer>(`/pages/answer?${query}`);
      if (statusLine === null || headers === null || body === null) return { kind: "absent" };
      const payload = Buffer.from(body, "base64");
      return { kind: "record", record: { statusLine, headers, payload } };
    } catch (error) {
      if (!isCrawlError(error) || error.code !== "STORE_RECORD_DAMAGED") throw error;
      return { kind: "damaged", reason: error.message };
    }
  }

  async linksOf(url: string): Promise<readonly RowLink[] | null> {
    const links: RowLink[] = [];
    for (let after: string | null = null; ; ) {
      const found: LinksAnswer | null = await this.#links(url, "out", after);
      if (found === null) return null;
      links.push(...found.links);
      if (found.cursor === null) return links;
      after = found.cursor;
    }
  }

  async *linksTo(url: string): AsyncGenerator<readonly RowLink[]> {
    for (let after: string | null = null; ; ) {
      const found: LinksAnswer | null = await this.#links(url, "in", after);
      if (found === null) return;
      this.#note(found);
      yield found.links;
      if (found.cursor === null) return;
      after = found.cursor;
    }
  }

  async close(): Promise<void> {}

  get #wished(): Record<string, string> {
    const { text, links } = this.#wishes;
    return { ...(text ? { text: "true" } : {}), ...(links ? { links: "true" } : {}) };
  }

  async #pagesAfter(after: string | null): Promise<PagesAnswer> {
    const query = new URLSearchParams({ prefix: "", limit: String(AT_ONCE), ...this.#wished });
    if (after !== null) query.set("after", after);
    const found = await this.#get<PagesAnswer>(`/pages?${query}`).catch((error: unknown) => {
      const isBad = isCrawlError(error) && error.code === "API_BAD_REQUEST" && after !== null;
      throw isBad ? notACursor(after) : error;
    });
    this.#note(found);
    return found;
  }

  #links(url: string, direction: "in" | "out", after: string | null): Promise<LinksAnswer | null> {
    const query = new URLSearchParams({ url, direction, limit: String(AT_ONCE) });
    if (after !== null) query.set("after", after);
    return this.#known<LinksAnswer>(`/links?${query}`);
  }

  async #get<Answer>(path: string): Promise<Answer> {
    return (await this.#client.ask("GET", path)) as Answer;
  }

  /** Null for what is not there. */
  async #known<Answer>(path: string): Promise<Answer | null> {
    try {
      return await this.#get<Answer>(path);
    } catch (error) {
      if (isCrawlError(error) && error.code === "CONTROL_NOT_FOUND") return null;
      throw error;
    }
  }

  #note({ missing = [] }: Missing): void {
    for (const { agent, why } of missing) {
      const fault = `The agent ${printable(agent)} has not answered (${why}); what only it has is not here.`;
      if (!this.#faults.includes(fault)) this.#faults.push(fault);
    }
  }
}

function unlessGone(error: unknown): null {
  if (isCrawlError(error) && error.code === "CONTROL_UNREACHABLE") return null;
  throw error;
}

function passed(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(LOOK_AGAIN_MS, resolve);
    signal.addEventListener("abort", () => {
      timer.cancel();
      resolve();
    });
  });
}
