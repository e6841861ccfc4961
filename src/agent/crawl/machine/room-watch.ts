/**
 * Where pages go may be full for a while: the store, the writers of rows and of the index. Nothing is
 * begun meanwhile, and the watch says when there is room again.
 */
import { CrawlError } from "../../../base/errors/index.ts";
import type { UsedBy } from "../../topology/crawl-library.ts";

interface Room {
  readonly hasRoom: boolean;
  whenRoom(callback: () => void): void;
}

/** Codes of errors that pass when somebody makes room: the crawl waits, and does not fail. */
const FULL: ReadonlySet<string> = new Set([
  "STORE_FULL",
  "STORAGE_FULL",
  "PAGES_FULL",
  "DATABASE_FULL",
  "DATABASE_LOCKED",
]);

export function isFull({ code }: CrawlError): boolean {
  return FULL.has(code);
}

/** Nobody waits for a crawl that has not begun: what to do instead, if it found no room. */
export function atStart(error: CrawlError): CrawlError {
  if (!error.code.endsWith("_FULL")) return error;
  return new CrawlError(
    error.code,
    "There is no room to begin with on the disk of the crawl directory. Free some space and give the " +
      `same command again; nothing is lost. (${error.message.split(". ")[0]}.)`,
    error.facts,
    error,
  );
}

export class RoomWatch {
  /** Where room is waited for. */
  readonly #full = new Set<Room>();
  readonly #freed: () => void;

  /** `freed` is called each time when something has room again. */
  constructor(freed: () => void) {
    this.#freed = freed;
  }

  /** Whether all have room to which a page goes. */
  have({ store, rows, index }: Pick<UsedBy<"steering">, "store" | "rows" | "index">): boolean {
    return (
      this.#has(store) &&
      this.#has(rows?.writer ?? undefined) &&
      this.#has(rows?.reader ?? undefined) &&
      (rows?.keepers.every((keeper) => this.#has(keeper)) ?? true) &&
      this.#has(index?.writer) &&
      this.#has(index?.texts ?? undefined)
    );
  }

  #has(room: Room | undefined): boolean {
    if (room === undefined || room.hasRoom) return true;
    if (!this.#full.has(room)) {
      this.#full.add(room);
      room.whenRoom(() => {
        this.#full.delete(room);
        this.#freed();
      });
    }
    return false;
  }
}
