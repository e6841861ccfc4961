/** The story of a URL for people: a line for what became of it, and one for each step. */
import type { RestingCrawl } from "../../agent/index.ts";
import { printable, quoted } from "../../base/text/index.ts";
import { amount, bytesText, durationText, plural } from "../crawl/figures.ts";

/** What the crawl said of a URL. */
export type Explanation = NonNullable<Awaited<ReturnType<RestingCrawl["explain"]>>>;

const STATES: Readonly<Record<Explanation["state"], (reason: string) => string>> = {
  fetched: (reason) => `fetched, answered with ${reason}`,
  redirected: (reason) => `redirected (${reason})`,
  failed: (reason) => `failed: ${reason}`,
  fetching: () => "being fetched now",
  retrying: (reason) => `waits for another try after ${reason}`,
  queued: () => "queued, and not fetched yet",
  refused: (reason) => `not taken up: ${reason}`,
  unknown: (reason) =>
    reason === "accepted"
      ? "not met by the crawl; its rules would accept it"
      : `not met by the crawl; it would be refused: ${reason}`,
};

export function storyText({ url, key, state, reason, meaning, story }: Explanation): string {
  const lines = [
    url,
    `  ${STATES[state](reason)}${meaning === null ? "" : `. ${meaning}`}`,
    ...(key === url ? [] : [`  compared by ${key}`]),
    ...story.map((step) => `  - ${step.at === null ? "" : `${step.at}  `}${stepText(step)}`),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

type StoryStep = Explanation["story"][number];

/** All facts that steps may have; each step has those that its text uses. */
interface Facts {
  readonly on: string | null;
  readonly depth: number;
  readonly text: string;
  readonly rel: string;
  readonly accepts: boolean | null;
  readonly rule: string | null;
  readonly problem: string;
  readonly reason: string;
  readonly result: number | string | null;
  readonly line: number | null;
  readonly host: string;
  readonly waitsFor: string | null;
  readonly aliasOf: string | null;
  readonly restsForMs: number;
  readonly waiting: number | null;
  readonly givenUp: string | null;
  readonly before: number | null;
  readonly inMs: number;
  readonly attempt: number;
  readonly bytes: number;
  readonly ms: number;
  readonly address: string | null;
  readonly isFinal: boolean;
  readonly notes: Readonly<Record<string, unknown>>;
  readonly to: string;
  readonly of: string;
  readonly warc: string;
  readonly offset: number;
  readonly length: number;
}

const STEPS: Readonly<Record<StoryStep["what"], (facts: Facts) => string>> = {
  seed: () => "it is a seed",
  found: ({ on, depth }) => `found on ${on}, at depth ${depth}`,
  linked: ({ on, text, rel }) =>
    `linked from ${on}${text === "" ? "" : ` as ${quoted(text)}`}${rel === "" ? "" : `, rel=${rel}`}`,
  scope: ({ accepts, rule }) => `${accepts ? "inside" : "outside"} the scope (${rule})`,
  limit: ({ reason, rule }) => `refused: ${reason}${inBrackets(rule)}`,
  filter: ({ accepts, rule, problem }) =>
    accepts === null
      ? `${rule} cannot be asked: ${problem}`
      : `${accepts ? "accepted" : "refused"} by the filter (${rule})`,
  blocked: ({ rule }) => `its host is blocked (${rule})`,
  robots: ({ accepts, reason, result, line, rule }) =>
    `${accepts ? "allowed" : "refused"} by robots.txt` +
    `${rule === null ? inBrackets(accepts ? null : reason) : ` (line ${line}: ${rule})`}` +
    `${result === null ? "" : `, which was answered with ${result}`}`,
  refused: ({ reason, on, rule }) =>
    `refused: ${reason}${inBrackets(rule)}${on === null ? "" : `, found on ${on}`}`,
  host: hostText,
  queued: ({ before }) =>
    before === null
      ? "waits in the queue of its host"
      : before === 0
        ? "the next one of its host"
        : `${plural(before, "URL")} of its host before it`,
  waiting: ({ inMs }) => `to be tried again in ${durationText(inMs)}`,
  "in-flight": () => "is being fetched",
  fetch: fetchText,
  redirect: ({ to }) => `redirects to ${to}`,
  duplicate: ({ of }) => `the same as ${of}`,
  "near-duplicate": ({ of }) => `nearly the same as ${of}`,
  stored: ({ warc, offset, length }) =>
    `stored in ${warc}, ${amount(length)} bytes from ${offset} on`,
  "not-stored": () => "not in the archive",
};

function stepText(step: StoryStep): string {
  return STEPS[step.what](step as unknown as Facts);
}

function inBrackets(text: string | null): string {
  return text === null ? "" : ` (${text})`;
}

function hostText({ host, aliasOf, waitsFor, restsForMs, waiting, givenUp }: Facts): string {
  const facts = [
    ...(aliasOf === null
      ? []
      : [`is an alias of ${aliasOf}, with whose names it is visited as one`]),
    ...(givenUp === null ? [] : [`was given up: ${givenUp}`]),
    ...(waitsFor === null ? [] : [`waits: ${waitsFor}`]),
    ...(restsForMs > 0 ? [`is left alone for ${durationText(restsForMs)}`] : []),
    ...(waiting === null ? [] : [`has ${plural(waiting, "URL")} waiting`]),
  ];
  return `its host ${host} ${facts.length === 0 ? "is known" : facts.join(", ")}`;
}

function fetchText({ attempt, result, bytes, ms, address, isFinal, notes }: Facts): string {
  if ("unfetched" in notes) return `not requested: ${result}`;
  const from = address === null ? "" : ` from ${address}`;
  const end = isFinal ? "" : "; to be tried again";
  const cut = notes["truncated"] === undefined ? "" : `, cut short (${notes["truncated"]})`;
  return `try ${attempt}: ${result}, ${bytesText(bytes)} in ${ms} ms${from}${cut}${end}`;
}
