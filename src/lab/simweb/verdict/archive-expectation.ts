/**
 * What an archive should hold of an answer of the synthetic web, and whether what it holds is that.
 * A client that meets an oddity may rightly end up with less than the whole, so for those a stored
 * body is right when the answer begins with it.
 */
import type { HttpMessage } from "../../../formats/warc/index.ts";
import { oddBody } from "../serve/answer-plan.ts";
import type { Oddity, WebResponse } from "../web/synthetic-web.ts";

/**
 * `due`: every client that gets the answer must store it. `optional`: a strict client sees a
 * failure, a lenient one an answer. `none`: there is nothing to store.
 */
export type RecordNeed = "due" | "optional" | "none";

const NEEDS: Readonly<Record<Oddity, RecordNeed>> = {
  "reset-before-head": "none",
  "close-before-head": "none",
  "close-mid-body": "due",
  "length-too-large": "due",
  "length-too-small": "optional",
  chunked: "due",
  "chunked-broken": "due",
  "no-length-close": "due",
  "endless-body": "due",
  "stall-mid-body": "due",
  "huge-header": "optional",
  garbage: "none",
  "http-0.9": "optional",
  "many-interim": "optional",
  "folded-header": "optional",
  "bare-newlines": "optional",
};

export function recordNeed({ oddity }: WebResponse): RecordNeed {
  return oddity === null ? "due" : NEEDS[oddity];
}

/** What is wrong with a stored head, in words; null when it is right. */
export function headProblem(stored: HttpMessage, response: WebResponse): string | null {
  if (response.oddity === "http-0.9") return null;
  const status = Number(/^HTTP\/\d\.\d (\d{3})/.exec(stored.startLine)?.[1] ?? 0);
  if (status !== response.status) return `status ${status} instead of ${response.status}`;
  const held = new Set(stored.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`));
  const lost = response.headers.find(
    ([name, value]) => !held.has(`${name.toLowerCase()}: ${value}`),
  );
  return lost === undefined ? null : `without the field ${lost[0]}: ${lost[1]}`;
}

/** What is wrong with a stored body, in words; null when it is right. */
export function bodyProblem(
  stored: Uint8Array,
  response: WebResponse,
  isTruncated: boolean,
): string | null {
  const { oddity } = response;
  const served = oddity === null ? response.body : oddBody(response);
  const mayBeShorter = isTruncated || mayBeCut(response);
  if (oddity === "endless-body") {
    const isRight = stored.every((byte, index) => byte === served[index % served.length]);
    return isRight ? null : "not what was sent again and again";
  }
  if (!mayBeShorter && stored.length !== served.length) {
    return `${stored.length} bytes instead of ${served.length}`;
  }
  const isPrefix =
    stored.length <= served.length &&
    Buffer.compare(stored, served.subarray(0, stored.length)) === 0;
  return isPrefix ? null : `${stored.length} bytes, and not those that were served`;
}

/** Whether a client may rightly end up with less than the whole body. */
export function mayBeCut({ oddity }: WebResponse): boolean {
  if (oddity === null) return false;
  return NEEDS[oddity] === "none" || /mid-body|broken|length-too/.test(oddity);
}
