/** What an agent answers others with: never more than a message can carry, whatever they ask for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MESSAGE_BYTES_MAX } from "../../base/transport/index.ts";
import { SETTINGS } from "./cluster-queries.fixture.ts";
import type { ItemsPart, LocalPages } from "./index.ts";
import { type ItemsReply, type PageReply, QUERY_ITEMS, QUERY_PAGE } from "./query-messages.ts";
import { QueryServer } from "./query-server.ts";

const FROM = { place: { id: "b", generation: 1 }, incarnation: 1 };

/** Asks for more than can be sent; `wanted` are the lengths for which the store was asked. */
function asked(items: ItemsPart): {
  readonly replies: readonly (ItemsReply | PageReply)[];
  readonly wanted: readonly number[];
} {
  const wanted: number[] = [];
  const replies: (ItemsReply | PageReply)[] = [];
  const local: LocalPages = {
    whereIs: (_url, done) => done(null, { kind: "here" }),
    readPage: (_url, _from, bytesMax, done) => {
      wanted.push(bytesMax);
      done(null, { bytes: new Uint8Array(1), totalBytes: 1, stamp: "" });
    },
    items: (_query, _cursor, bytesMax, done) => {
      wanted.push(bytesMax);
      done(null, items);
    },
  };
  const listeners = new Map<string, (...asked: never[]) => void>();
  const messenger = {
    serve: ({ kind }: { readonly kind: string }, listener: (...asked: never[]) => void) =>
      void listeners.set(kind, listener),
  } as unknown as ConstructorParameters<typeof QueryServer>[0]["messenger"];
  new QueryServer({ messenger, settings: SETTINGS, local: () => local });
  const bytesMax = 8 * MESSAGE_BYTES_MAX;
  const questions = {
    [QUERY_PAGE.kind]: { url: "http://h.example/", from: 0, bytesMax },
    [QUERY_ITEMS.kind]: { what: "pages", argument: "", cursor: "", bytesMax },
  };
  for (const [kind, question] of Object.entries(questions)) {
    const respond = (reply: ItemsReply | PageReply): void => void replies.push(reply);
    listeners.get(kind)?.(...([FROM, question, respond] as never[]));
  }
  return { replies, wanted };
}

test("whoever asks for more than a message has room for gets less", () => {
  const { wanted } = asked({ items: [], cursor: "", isEnd: true });
  assert.equal(wanted.length, 2);
  for (const bytesMax of wanted) assert.ok(bytesMax < MESSAGE_BYTES_MAX, `${bytesMax}`);
});

test("items that together are too long for a message are left out, and counted", () => {
  const item = new Uint8Array(MESSAGE_BYTES_MAX / 2);
  const { replies } = asked({ items: [item, item, new Uint8Array(10)], cursor: "3", isEnd: false });
  const reply = replies.find((one) => "items" in one);
  assert.deepEqual(
    reply?.items.map(({ byteLength }) => byteLength),
    [item.byteLength, 10],
  );
  assert.equal(reply?.omitted, 1);
});
