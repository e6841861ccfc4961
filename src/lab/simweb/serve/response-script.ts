/**
 * An answer of the synthetic web as a script for the simulator's player: what goes wrong on the
 * wire becomes a step, so that one player serves scripted and synthetic webs alike.
 */
import type { Header } from "../../../base/seams/index.ts";
import type { WebScript, WebStep } from "../../simulator/index.ts";
import type { WebResponse } from "../web/synthetic-web.ts";

/** A slow body comes in at most this many pieces, whatever its size. */
const PIECES_MAX = 64;
const HUGE_BYTES = 1024 * 1024;
const FILLER: Uint8Array = Buffer.alloc(16 * 1024, "All of this could go on for ever. ");
/** How long an endless body takes between two pieces. */
const PIECE_MS = 10;

export function responseScript(response: WebResponse): WebScript {
  const { delayMs } = response;
  const thinking: readonly WebStep[] = delayMs === 0 ? [] : [{ do: "wait", forMs: delayMs }];
  return { steps: [...thinking, ...answerSteps(response)] };
}

function answerSteps(response: WebResponse): readonly WebStep[] {
  const { body, oddity } = response;
  const half = body.subarray(0, body.length >>> 1);
  switch (oddity) {
    case "reset-before-head":
    case "close-before-head":
      return [{ do: "disconnect" }];
    case "close-mid-body":
      return [head(response, body.length), ...bodySteps(response, half), { do: "disconnect" }];
    case "stall-mid-body":
      return [head(response, body.length), ...bodySteps(response, half), { do: "hang" }];
    case "length-too-large":
      return [head(response, body.length + 1000), ...bodySteps(response, body)];
    case "length-too-small":
      return [head(response, half.length), ...bodySteps(response, body)];
    case "chunked-broken":
      return [head(response, null), ...bodySteps(response, half), { do: "disconnect" }];
    case "chunked":
    case "no-length-close":
      return [head(response, null), ...bodySteps(response, body)];
    case "endless-body":
      return [
        head(response, null),
        ...bodySteps(response, body),
        { do: "repeat", bytes: FILLER, everyMs: PIECE_MS },
      ];
    case "huge-header":
      return [head(response, body.length, [["X-Huge", "h".repeat(HUGE_BYTES)]]), { do: "hang" }];
    case "garbage":
    case "http-0.9":
      return [{ do: "garbage", bytes: body }];
    case "many-interim":
    case "folded-header":
    case "bare-newlines":
    case null:
      return [head(response, body.length), ...bodySteps(response, body)];
  }
}

/** Without a length the end of the answer is the end of the body. */
function head(
  { status, headers }: WebResponse,
  lengthBytes: number | null,
  more: readonly Header[] = [],
): WebStep {
  const length: Header[] = lengthBytes === null ? [] : [["Content-Length", String(lengthBytes)]];
  return { do: "head", status, headers: [...headers, ...more, ...length] };
}

function bodySteps({ bytesPerSecond }: WebResponse, bytes: Uint8Array): readonly WebStep[] {
  if (bytes.length === 0) return [];
  if (bytesPerSecond === 0) return [{ do: "body", bytes }];
  const size = Math.ceil(bytes.length / PIECES_MAX);
  const steps: WebStep[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    steps.push({ do: "wait", forMs: (piece.length / bytesPerSecond) * 1000 });
    steps.push({ do: "body", bytes: piece });
  }
  return steps;
}
