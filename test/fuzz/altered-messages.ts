/**
 * Messages between agents that are not as they were sent: bytes damaged anywhere, or one or a few fields
 * of the sender or the body set to what no agent would say, so that they are read and taken for true.
 */
import type { Random } from "../../src/base/seams/index.ts";
import type { Message } from "../../src/base/transport/index.ts";
import { readEntries, writeEntries } from "../../src/cluster/delivery/entry-blocks.ts";
import * as limits from "../../src/cluster/limits/limit-messages.ts";
import * as membership from "../../src/cluster/membership/membership-messages.ts";
import { open, type Sender, seal } from "../../src/cluster/messages/envelope.ts";
import { type MessageType, messageType } from "../../src/cluster/messages/index.ts";
import * as pages from "../../src/cluster/pages/page-messages.ts";
import * as queries from "../../src/cluster/queries/query-messages.ts";
import * as slots from "../../src/cluster/slots/slot-messages.ts";
import * as termination from "../../src/cluster/termination/termination-messages.ts";
import { ByteWriter, type Codec, codec } from "../../src/topology/items/index.ts";
import {
  decodeFrame,
  decodePiece,
  encodeFrame,
  type Frame,
  PIECE,
} from "../../src/topology/remote/remote-frame.ts";
import { mutated } from "./mutation.ts";

/** What was sent, as what. */
export interface Overheard extends Message {
  readonly isReply: boolean;
}

const FRAMES: MessageType<Uint8Array, Uint8Array> = messageType("url", codec.bytes, codec.bytes);

/** Those of which a body or a reply has fields. */
const KINDS: ReadonlyMap<string, MessageType<unknown, unknown>> = new Map(
  [membership, limits, pages, queries, slots, termination, { FRAMES }]
    .flatMap((module) => Object.values(module as Record<string, unknown>))
    .filter((one): one is MessageType<unknown, unknown> => isMessageType(one))
    .map((type) => [type.kind, type]),
);

function isMessageType(one: unknown): boolean {
  return typeof one === "object" && one !== null && "kind" in one && "reply" in one;
}

/** A message that nobody has sent, made of one that somebody has. */
export function altered(told: Overheard, all: readonly Overheard[], random: Random): Overheard {
  if (random.below(3) > 0) return withFields(told, random) ?? damaged(told, all, random);
  return damaged(told, all, random);
}

function damaged(told: Overheard, all: readonly Overheard[], random: Random): Overheard {
  const other = all[random.below(all.length)] ?? told;
  const kind = random.below(10) === 0 ? other.kind : told.kind;
  return { ...told, kind, body: mutated([Buffer.from(told.body)], random) };
}

const PLACE = { id: "a2", generation: 5 };
const LIFE = { place: PLACE, incarnation: 1 };
const AMOUNT = { pages: 3, bytes: 40 };
const ENTRY = { kind: "url", host: "h1.example", high: 1, low: 2, depth: 3, holders: [PLACE] };

/** What agents seldom say, or not in a cluster that is well. */
const RARE: readonly (readonly [{ readonly kind: string }, body: unknown])[] = [
  [membership.REJOIN, LIFE],
  [membership.REPLACED, LIFE],
  [membership.LEFT, null],
  [membership.FORGET, { place: PLACE, isOrder: true }],
  [membership.KNOWN, { nonce: "x", generation: 5, incarnation: 2, capacity: 1, isLive: true }],
  [limits.LIMIT_REQUEST, { elapsedMs: 5, pages: "lacking", bytes: "low", debt: AMOUNT }],
  [limits.LIMIT_RECALL, { elapsedMs: 5, pages: true, bytes: true, isDebt: true }],
  [limits.LIMIT_TRANSFER, { elapsedMs: 5, origin: PLACE, number: 3, to: PLACE, amount: AMOUNT }],
  [limits.LIMIT_FAREWELL, { elapsedMs: 5 }],
  [
    pages.PAGE,
    {
      entry: { ...ENTRY, record: Buffer.from("x") },
      ...{ withBody: true, from: 0, total: 8, bytes: Buffer.from("12345678") },
    },
  ],
];

/** One of those. */
export function rare(told: Overheard, random: Random): Overheard | null {
  const all = rareOnes(told);
  return all.length === 0 ? null : pick(all, random);
}

/** All of them, signed by whoever has sent this one. */
export function rareOnes(told: Overheard): readonly Overheard[] {
  const message = open(told.body);
  if (typeof message !== "object") return [];
  const { sender } = message;
  return RARE.flatMap(
    ([{ kind }, body]) => sealed({ ...told, kind, isReply: false }, { sender, body }) ?? [],
  );
}

interface Opened {
  readonly sender: Sender;
  readonly body: unknown;
}

/** As it was read. */
export function opened(told: Overheard): Opened | null {
  const bodyCodec = codecOf(told);
  const message = open(told.body);
  if (bodyCodec === null || typeof message !== "object") return null;
  const body = message.body(bodyCodec);
  return body === null ? null : { sender: message.sender, body: body.value };
}

/** With another sender or body; null if no codec writes that. */
export function sealed(told: Overheard, { sender, body }: Opened): Overheard | null {
  const bodyCodec = codecOf(told);
  if (bodyCodec === null) return null;
  try {
    return { ...told, body: seal(sender, body, bodyCodec) };
  } catch {
    // Some values cannot be written at all, such as a negative count.
    return null;
  }
}

function codecOf({ kind, isReply }: Overheard): Codec<unknown> | null {
  const type = KINDS.get(kind);
  return type === undefined ? null : isReply ? type.reply : type.body;
}

function withFields(told: Overheard, random: Random): Overheard | null {
  let message: Opened | null = opened(told);
  if (message === null) return null;
  const changes = 1 + random.below(3);
  for (let at = 0; at < changes; at += 1) {
    const { sender, body }: Opened = message;
    if (random.below(4) === 0) message = { sender: changed(sender, random) as Sender, body };
    else message = { sender, body: changedBody(told, body, random) };
  }
  return sealed(told, message);
}

/** Frames have fields of their own, and pieces in them, and entries in those. */
function changedBody(told: Overheard, body: unknown, random: Random): unknown {
  if (told.kind !== FRAMES.kind || told.isReply) return changed(body, random);
  const frame = decodeFrame(body as Uint8Array);
  if (frame === null) return body;
  try {
    return encodeFrame(changedFrame(frame, random));
  } catch {
    return body;
  }
}

function changedFrame(frame: Frame, random: Random): Frame {
  const piece = decodePiece(frame.piece);
  if (piece === null || random.below(3) === 0) return changed(frame, random) as Frame;
  const entries = readEntries(piece.bytes, piece.count) ?? [];
  const other = changed(entries, random) as typeof entries;
  const writer = new ByteWriter();
  const isHonest = random.below(4) > 0;
  PIECE.write(
    { ...piece, count: isHonest ? other.length : 2 ** 32, bytes: writeEntries(other) },
    writer,
  );
  // A later frame of the same stream, as far as its numbers go.
  const shift = random.below(2) * 10_000_000;
  return {
    ...frame,
    after: frame.after + shift,
    floor: frame.after + shift,
    end: frame.end + shift,
    piece: writer.copy(),
  };
}

const NUMBERS: readonly number[] = [
  ...[0, 1, 2, -1, 0.5, 1000, 1e6, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1, 2 ** 53],
  ...[1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
];

const TEXTS: readonly string[] = [
  ...["", "a0", "a1", "a2", "a9", "../../a0", "a.1", ".", "\0", "a\nb", " ", "__proto__"],
  ...["é\u{1F600}", "\u{202E}", "x".repeat(300), "y".repeat(300_000), "{", "null", "%00", "a0.1"],
];

/** A copy with one value in it, at any depth, set to another. */
function changed(value: unknown, random: Random): unknown {
  if (typeof value === "number") return pick(NUMBERS, random);
  if (typeof value === "string") return pick(TEXTS, random);
  if (typeof value === "boolean") return !value;
  if (value === null) return random.below(2) === 0 ? null : pick(NUMBERS, random);
  if (value instanceof Uint8Array) return mutated([Buffer.from(value)], random);
  if (Array.isArray(value)) return changedList(value, random);
  if (typeof value !== "object") return value;
  const names = Object.keys(value);
  const name = names[random.below(Math.max(1, names.length))];
  if (name === undefined) return value;
  return { ...value, [name]: changed((value as Record<string, unknown>)[name], random) };
}

function changedList(list: readonly unknown[], random: Random): unknown {
  const at = random.below(Math.max(1, list.length));
  switch (random.below(4)) {
    case 0:
      return list.filter((_, index) => index !== at);
    case 1:
      return Array.from({ length: 1 + random.below(2000) }, () => list[at] ?? strangePlace(random));
    default:
      if (list.length === 0) return [strangePlace(random)];
      return list.map((one, index) => (index === at ? changed(one, random) : one));
  }
}

/** Fits many lists, and with more fields than a codec looks at does no harm. */
function strangePlace(random: Random): object {
  const place = { id: pick(TEXTS, random), generation: pick(NUMBERS, random) };
  const places = { places: [place], ring: [place.id] };
  return {
    ...place,
    place,
    origin: place,
    incarnation: 1,
    number: 1,
    count: 5,
    capacity: 1,
    ...places,
  };
}

function pick<One>(list: readonly One[], random: Random): One {
  return list[random.below(list.length)] as One;
}
