/** Parameters that several routes have, and how they are read. */
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { parseDuration } from "../../base/units/index.ts";
import { type HostName, hostOf, parseUrl } from "../../formats/url/index.ts";
import { badRequest } from "../server/api-refusal.ts";
import type { Parameter } from "./route.ts";

const NAME_LENGTH_MAX = 200;
export const URL_LENGTH_MAX = 8192;
/** That of a crawl of many agents names them all. */
const CURSOR_LENGTH_MAX = 8192;
const PAGE_MAX = 1000;
const PAGE_USUAL = 100;

export const UNIT_ID: Parameter = {
  meaning: "The id of a unit in the topology.",
  schema: { type: "string", minLength: 1, maxLength: NAME_LENGTH_MAX },
  ...{ isRequired: true, example: "front" },
};

export const HOST: Parameter = {
  meaning: "The name of a host, or its address.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  ...{ isRequired: true, example: "example.org" },
};

export const URL_TEXT: Parameter = {
  meaning: "A URL, or one that is compared as equal.",
  schema: { type: "string", minLength: 1, maxLength: URL_LENGTH_MAX },
  ...{ isRequired: true, example: "https://example.org/" },
};

export const LIMIT: Parameter = {
  meaning: `At most this many; ${PAGE_USUAL} unless given.`,
  schema: { type: "integer", minimum: 1, maximum: PAGE_MAX },
  example: "10",
};

export const AFTER: Parameter = {
  meaning: "The cursor of an earlier answer: gives what follows.",
  schema: { type: "string", minLength: 1, maxLength: CURSOR_LENGTH_MAX },
  example: "0.0.1",
};

/** As `LIMIT` says. */
export function limitOf(text: string | undefined): number {
  return text === undefined ? PAGE_USUAL : Number(text);
}

/** The host that is meant, as URLs have it. */
export function hostNamed(text: string): HostName {
  const isPlain = !/[\s/?#@\\]/.test(text);
  const bracketed = /^[^[]*:.*:/.test(text) ? `[${text}]` : text;
  const outcome = isPlain ? parseUrl(`http://${bracketed}/`) : null;
  if (outcome?.kind === "accepted" && new URL(outcome.url).port === "") return hostOf(outcome.url);
  throw badRequest([`${quoted(text)} is not the name of a host`]);
}

/** Milliseconds of a duration as in the configuration. */
export function durationMs(text: string, name: string): number {
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.value;
  throw badRequest([`${name} ${quoted(text)} ${parsed.problem}`]);
}

export function absent(message: string): CrawlError {
  return new CrawlError("CONTROL_NOT_FOUND", message);
}
