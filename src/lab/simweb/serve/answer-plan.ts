/**
 * What is put on the wire for one answer, as a list of moves. An ordinary answer is one move; an
 * oddity is a few more, and here stands what each of them means, byte by byte. Nothing is sent
 * here: the plan is data, and `answer-player.ts` plays it.
 */
import assert from "node:assert/strict";
import { assertNever } from "../../../base/errors/index.ts";
import type { Header } from "../../../base/seams/index.ts";
import type { Oddity, WebResponse } from "../web/synthetic-web.ts";

export type Move =
  | { readonly do: "send"; readonly head: string; readonly body: Uint8Array }
  /** More than was announced: a client that trusts the length does not see it. */
  | { readonly do: "surplus"; readonly body: Uint8Array }
  /** The same bytes again and again until the client gives up. */
  | { readonly do: "repeat"; readonly body: Uint8Array }
  /** Nothing more, with the connection left open, until the client gives up. */
  | { readonly do: "stall" }
  | { readonly do: "end" }
  | { readonly do: "reset" };

export interface AnswerPlan {
  readonly moves: readonly Move[];
  /** Whether the connection can carry another request afterwards. */
  readonly isKeptAlive: boolean;
  /** Whether a crawler may take this answer for a failure and ask again. */
  readonly isBroken: boolean;
  /** Whether some client, if a lenient one, gets an answer out of it. */
  readonly hasAnswer: boolean;
}

export interface AnswerWish {
  /** HEAD: the head alone. */
  readonly isHeadOnly: boolean;
  /** Whether the client asks to go on with the connection. */
  readonly isKeptAlive: boolean;
}

const NOTHING = new Uint8Array(0);
const END: Move = { do: "end" };
const INTERIM_COUNT = 64;
const HUGE_FIELD_BYTES = 1024 * 1024;
/** A body for those oddities that must have one where the web gives none. */
const FILLER: Uint8Array = Buffer.alloc(16 * 1024, "All of this could go on for ever. ");
const GARBAGE: Uint8Array = Buffer.from(
  Array.from({ length: 512 }, (_, index) => (index * 197 + (index >>> 3) * 31 + 128) & 255),
);

/** What is odd and yet HTTP: every client must get the whole page from it. */
const HARMLESS: ReadonlySet<Oddity> = new Set<Oddity>(["chunked", "no-length-close"]);

const NO_ANSWER: ReadonlySet<Oddity> = new Set<Oddity>([
  "reset-before-head",
  "close-before-head",
  "garbage",
]);

export function planAnswer(response: WebResponse, wish: AnswerWish): AnswerPlan {
  const { oddity, body } = response;
  if (oddity !== null) return planOddity(response, oddity, wish);
  const hasBody = bodyIsAllowed(response.status);
  const length: readonly Header[] = hasBody ? [["Content-Length", String(body.length)]] : [];
  const head = headText(response, [...length, ...connectionField(wish)]);
  const sent = wish.isHeadOnly || !hasBody ? NOTHING : body;
  const moves: Move[] = [{ do: "send", head, body: sent }];
  if (!wish.isKeptAlive) moves.push(END);
  return { moves, isKeptAlive: wish.isKeptAlive, isBroken: false, hasAnswer: true };
}

function planOddity(response: WebResponse, oddity: Oddity, wish: AnswerWish): AnswerPlan {
  const moves = oddMoves(response, oddity);
  const isKeptAlive = wish.isKeptAlive && moves.every((move) => move.do === "send");
  const limited = wish.isHeadOnly ? headMoves(moves) : moves;
  return {
    moves: isKeptAlive ? limited : [...limited, END],
    isKeptAlive,
    isBroken: !HARMLESS.has(oddity),
    hasAnswer: !NO_ANSWER.has(oddity),
  };
}

/** For HEAD: the same moves without any body. */
function headMoves(moves: readonly Move[]): Move[] {
  return moves.flatMap((move): Move[] => {
    if (move.do === "send") return move.head === "" ? [] : [{ ...move, body: NOTHING }];
    return move.do === "repeat" || move.do === "surplus" ? [] : [move];
  });
}

function oddMoves(response: WebResponse, oddity: Oddity): readonly Move[] {
  const body = oddBody(response);
  const half = body.length >>> 1;
  const length = (bytes: number): Header => ["Content-Length", String(bytes)];
  const close: Header = ["Connection", "close"];
  const send = (fields: readonly Header[], sent: Uint8Array): Move => {
    return { do: "send", head: headText(response, fields), body: sent };
  };
  switch (oddity) {
    case "reset-before-head":
      return [{ do: "reset" }];
    case "close-before-head":
      return [END];
    case "close-mid-body":
      return [send([length(body.length)], body.subarray(0, half)), END];
    case "length-too-large":
      return [send([length(body.length + 1000)], body), END];
    case "length-too-small":
      return [
        send([length(half), close], body.subarray(0, half)),
        { do: "surplus", body: body.subarray(half) },
        END,
      ];
    case "chunked":
      return [send([["Transfer-Encoding", "chunked"]], chunked(body))];
    case "chunked-broken":
      return [send([["Transfer-Encoding", "chunked"]], brokenChunks(body)), END];
    case "no-length-close":
      return [send([close], body), END];
    case "endless-body":
      return [send([close], NOTHING), { do: "repeat", body }];
    case "stall-mid-body":
      return [send([length(body.length)], body.subarray(0, half)), { do: "stall" }];
    case "huge-header":
      return [send([hugeField(), length(body.length)], body)];
    case "garbage":
      return [{ do: "send", head: "", body: GARBAGE }, END];
    case "http-0.9":
      return [{ do: "send", head: "", body }, END];
    case "many-interim":
      return [
        { do: "send", head: interimHeads(), body: NOTHING },
        send([length(body.length)], body),
      ];
    case "folded-header":
      return [
        send(
          [["X-Folded", "one line\r\n and the next\r\n\tand a third"], length(body.length)],
          body,
        ),
      ];
    case "bare-newlines":
      return [withBareNewlines(send([length(body.length)], body))];
    default:
      return assertNever(oddity);
  }
}

/** The body that an oddity is played with: the web's, or a filler where it gives none. */
export function oddBody({ body }: WebResponse): Uint8Array {
  return body.length === 0 ? FILLER : body;
}

/** Status line and fields, ended by the empty line. The web's own length would contradict ours. */
export function headText(response: WebResponse, more: readonly Header[]): string {
  let text = `HTTP/1.1 ${response.status} ${response.reason}\r\n`;
  for (const [name, value] of response.headers) text += `${name}: ${value}\r\n`;
  for (const [name, value] of more) text += `${name}: ${value}\r\n`;
  return `${text}\r\n`;
}

function connectionField({ isKeptAlive }: AnswerWish): readonly Header[] {
  return isKeptAlive ? [] : [["Connection", "close"]];
}

function bodyIsAllowed(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}

/** In pieces of growing length, with an extension and a trailer, all of which a client must take. */
function chunked(body: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let at = 0, size = 1; at < body.length; at += size, size = Math.min(size * 3, 8192)) {
    const piece = body.subarray(at, at + size);
    const extension = at === 1 ? ";name=value" : "";
    pieces.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, CRLF);
  }
  pieces.push(Buffer.from("0\r\nX-Trailer: at the end\r\n\r\n"));
  return Buffer.concat(pieces);
}

const CRLF: Uint8Array = Buffer.from("\r\n");

/** Half of the body in one valid chunk, then a size that is not a number. */
function brokenChunks(body: Uint8Array): Uint8Array {
  const piece = body.subarray(0, Math.max(1, body.length >>> 1));
  const size = Buffer.from(`${piece.length.toString(16)}\r\n`);
  return Buffer.concat([size, piece, CRLF, Buffer.from("zz not a size\r\n"), piece]);
}

function hugeField(): Header {
  return ["X-Huge", "h".repeat(HUGE_FIELD_BYTES)];
}

function interimHeads(): string {
  return "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n".repeat(
    INTERIM_COUNT,
  );
}

function withBareNewlines(move: Move): Move {
  assert(move.do === "send");
  return { ...move, head: move.head.replaceAll("\r\n", "\n") };
}
