/** Hands questions about pages to another thread, one at a time, and refuses more than a few. */
import { ThreadBackground } from "../../base/background/index.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Background, Clock } from "../../base/seams/index.ts";
import { askCrawl, type Kind, type Question, type Questions } from "./ask-crawl.ts";

/** Questions that may wait; each may take seconds. */
const WAITING_MAX = 16;

/** Who answers questions about pages: a directory, or all agents of a crawl. Rejects with a `CrawlError`. */
export interface PageAnswers {
  ask<Of extends Kind>(kind: Of, asked: Questions[Of]["asks"]): Promise<Questions[Of]["gives"]>;
  /** Gives up questions that wait. */
  close(): Promise<void>;
}

export class PageQuestions implements PageAnswers {
  readonly #folder: string;
  readonly #clock: Clock;
  /** Made for the first question. */
  #background: Background | null = null;
  #waiting = 0;

  /** The crawl directory; absolute. */
  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  ask<Of extends Kind>(kind: Of, asked: Questions[Of]["asks"]): Promise<Questions[Of]["gives"]> {
    if (this.#waiting >= WAITING_MAX) return Promise.reject(busy());
    this.#background ??= new ThreadBackground({ storageRoot: this.#folder, clock: this.#clock });
    const background = this.#background;
    const question = { kind, folder: this.#folder, ...asked } as Question;
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      background.run(askCrawl, question, (error, answer) => {
        this.#waiting -= 1;
        if (error === null) resolve(answer as Questions[Of]["gives"]);
        else reject(error);
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#background === null) resolve();
      else this.#background.close(resolve);
    });
  }
}

function busy(): CrawlError {
  return new CrawlError(
    "CONTROL_BUSY",
    `More than ${WAITING_MAX} questions about pages are waiting. Ask again in a moment.`,
  );
}
