/** Answers the questions of other agents, a few at a time, in parts that fit into a message. */
import { MESSAGE_BYTES_MAX } from "../../base/transport/index.ts";
import type { Messenger } from "../messages/index.ts";
import type { ItemsPart, LocalPages, PagePart } from "./local-pages.ts";
import {
  type ItemsQuestion,
  type ItemsReply,
  itemsReply,
  type PageQuestion,
  type PageReply,
  pageReply,
  QUERY_ITEMS,
  QUERY_PAGE,
} from "./query-messages.ts";
import type { QuerySettings } from "./query-parts.ts";

export interface QueryServerParts {
  readonly messenger: Pick<Messenger, "serve">;
  readonly settings: QuerySettings;
  /** Null until there is a store. */
  readonly local: () => LocalPages | null;
}

/** Leaves room for everything else in a message. */
const PART_BYTES_MAX = MESSAGE_BYTES_MAX / 2;

export class QueryServer {
  readonly #parts: QueryServerParts;
  #served = 0;

  constructor(parts: QueryServerParts) {
    this.#parts = parts;
    parts.messenger.serve(QUERY_PAGE, (_from, question, respond) => {
      this.#serve(respond, pageReply("busy"), (local, done) => readPart(local, question, done));
    });
    parts.messenger.serve(QUERY_ITEMS, (_from, question, respond) => {
      this.#serve(respond, itemsReply("busy"), (local, done) => readItems(local, question, done));
    });
  }

  /** With at most so many at once; whoever comes then is to come again. */
  #serve<Reply>(
    respond: (reply: Reply) => void,
    busy: Reply,
    answer: (local: LocalPages, done: (reply: Reply) => void) => void,
  ): void {
    const { settings, local } = this.#parts;
    const pages = local();
    if (pages === null || this.#served >= settings.servedMax) {
      respond(busy);
      return;
    }
    this.#served += 1;
    answer(pages, (reply) => {
      this.#served -= 1;
      respond(reply);
    });
  }
}

function readPart(
  local: LocalPages,
  { url, from, bytesMax }: PageQuestion,
  done: (reply: PageReply) => void,
): void {
  const read = (part: PagePart | null): void =>
    done(part === null ? pageReply("absent") : pageReply("part", part));
  local.whereIs(url, (error, where) => {
    if (error !== null) done(pageReply("failed"));
    else if (where.kind === "absent") done(pageReply("absent"));
    else if (where.kind === "elsewhere") done(pageReply("elsewhere", { place: where.place }));
    else {
      local.readPage(url, from, Math.min(bytesMax, PART_BYTES_MAX), (failure, part) => {
        if (failure === null) read(part);
        else done(pageReply("failed"));
      });
    }
  });
}

function readItems(
  local: LocalPages,
  { what, argument, cursor, bytesMax }: ItemsQuestion,
  done: (reply: ItemsReply) => void,
): void {
  local.items({ what, argument }, cursor, Math.min(bytesMax, PART_BYTES_MAX), (error, part) => {
    done(error === null ? itemsReply("part", fitted(part)) : itemsReply("failed"));
  });
}

/** Without items that no message could carry. */
function fitted({ items, cursor, isEnd }: ItemsPart): Partial<ItemsReply> {
  let room = PART_BYTES_MAX + PART_BYTES_MAX / 2;
  const fitting = items.filter(({ byteLength }) => {
    if (byteLength > room) return false;
    room -= byteLength;
    return true;
  });
  return { items: fitting, cursor, isEnd, omitted: items.length - fitting.length };
}
