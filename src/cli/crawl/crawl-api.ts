/**
 * The API of a crawl that a command runs. It listens before the crawl directory is touched, so a port
 * that was asked for and cannot be had ends the command with nothing changed; without a free port of its
 * own choice the crawl goes on and cannot be asked.
 */
import { resolve } from "node:path";
import { type ControlledCrawl, type Crawl, CrawlControl } from "../../agent/index.ts";
import { ApiServer } from "../../api/index.ts";
import { type CrawlError, isCrawlError } from "../../base/errors/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import type { Configuration } from "../../rules/config/index.ts";

export interface CrawlApiOptions {
  readonly clock: Clock;
  /** Called for what the crawl goes on without. */
  readonly report: (error: CrawlError) => void;
}

export class CrawlApi implements AsyncDisposable {
  readonly #options: CrawlApiOptions;
  #server: ApiServer | null = null;

  constructor(options: CrawlApiOptions) {
    this.#options = options;
  }

  /** Gives its port. Rejects with an `API_…` error if what was asked for cannot be had. */
  async listen({ api: settings }: Configuration): Promise<number | null> {
    try {
      this.#server = await ApiServer.listen({ ...this.#options, settings });
      return this.#server.port;
    } catch (error) {
      const isOwnChoice = settings.port === "auto" && hasCode(error, "API_LISTEN_FAILED");
      if (!isOwnChoice) throw error;
      this.#options.report(error);
      return null;
    }
  }

  /** Lets the crawl be asked, and says in its directory where. */
  serve(crawl: Crawl, folder: string): void {
    this.serveControl(new CrawlControl(crawl, resolve(folder)), folder);
  }

  /** The same for a crawl that others take part in. */
  serveControl(control: ControlledCrawl, folder: string): void {
    try {
      this.#server?.serve(control, resolve(folder));
    } catch (error) {
      if (!hasCode(error, "DIRECTORY_FAILED")) throw error;
      this.#options.report(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.close();
  }
}

function hasCode(error: unknown, code: CrawlError["code"]): error is CrawlError {
  return isCrawlError(error) && error.code === code;
}
