/**
 * Spellings: each takes the pieces of a URL and gives other pieces that mean the same to the URL
 * standard and to the keys. One that cannot be applied to a URL leaves it alone.
 */
import type { Chance } from "../model/chance.ts";

export interface UrlPieces {
  /** `http:`, or empty. */
  readonly scheme: string;
  readonly user: string;
  /** Empty for a reference within the host. */
  readonly host: string;
  readonly port: string;
  /** Path and query; from the root, or relative. */
  readonly path: string;
  readonly fragment: string;
}

export interface SpellingDetails {
  readonly row: Chance;
  /** The host's name in its own letters, where that may be used. */
  readonly writtenHost: string | null;
  readonly writtenPath: string | null;
  readonly mayEscape: boolean;
}

export type Spelling = (pieces: UrlPieces, details: SpellingDetails) => UrlPieces;

export const SPELLINGS: readonly Spelling[] = [
  upperCaseHost,
  upperCaseScheme,
  otherPort,
  hostOfTheRoot,
  withUser,
  backslashes,
  writtenHost,
  escapedHost,
  dotSegments,
  needlessEscape,
  smallEscapes,
  writtenPath,
  withFragment,
  spaceAround,
  spaceInside,
  schemeAlone,
];

function upperCaseHost(pieces: UrlPieces): UrlPieces {
  return { ...pieces, host: pieces.host.toUpperCase() };
}

function upperCaseScheme(pieces: UrlPieces): UrlPieces {
  return { ...pieces, scheme: pieces.scheme.toUpperCase() };
}

/** The scheme's own port said all the same, or another one with zeros before it. */
function otherPort(pieces: UrlPieces, { row }: SpellingDetails): UrlPieces {
  if (pieces.host === "") return pieces;
  if (pieces.port === "") return { ...pieces, port: row.pick([":80", ":080", ":"]) };
  return { ...pieces, port: pieces.port.replace(/^:(?=\d)/, ":00") };
}

function hostOfTheRoot(pieces: UrlPieces): UrlPieces {
  return pieces.host === "" || pieces.host.endsWith(".")
    ? pieces
    : { ...pieces, host: `${pieces.host}.` };
}

function withUser(pieces: UrlPieces, { row }: SpellingDetails): UrlPieces {
  return pieces.host === ""
    ? pieces
    : { ...pieces, user: row.pick(["guest@", "me:secret@", ":@"]) };
}

/** Only up to the query, where a backslash is a backslash. */
function backslashes(pieces: UrlPieces): UrlPieces {
  if (pieces.host !== "") return pieces;
  const [path = "", ...query] = pieces.path.split("?");
  return { ...pieces, path: [path.replaceAll("/", "\\"), ...query].join("?") };
}

function writtenHost(pieces: UrlPieces, { writtenHost: written }: SpellingDetails): UrlPieces {
  return pieces.host === "" || written === null ? pieces : { ...pieces, host: written };
}

function escapedHost(pieces: UrlPieces): UrlPieces {
  if (!/^[a-z]/i.test(pieces.host)) return pieces;
  return { ...pieces, host: `${escapeOf(pieces.host.charCodeAt(0))}${pieces.host.slice(1)}` };
}

/** After another spelling a path may begin with something else, and is left alone. */
function dotSegments(pieces: UrlPieces, { row }: SpellingDetails): UrlPieces {
  const { path } = pieces;
  const before = row.pick(["/.", "/up/..", "/%2e", "/a/b/../%2E%2e", "/../.."]);
  if (path.startsWith("/")) return { ...pieces, path: before + path };
  return /^[\w.]/.test(path) ? { ...pieces, path: row.pick(["./", "x/../"]) + path } : pieces;
}

/** One letter of the path escaped without need. */
function needlessEscape(pieces: UrlPieces, { row, mayEscape }: SpellingDetails): UrlPieces {
  const { path } = pieces;
  const end = path.includes("?") ? path.indexOf("?") : path.length;
  const at = row.below(Math.max(1, end));
  if (!mayEscape || path.includes("%") || !/[a-z]/.test(path.charAt(at))) return pieces;
  const large = escapeOf(path.charCodeAt(at));
  const shown = row.happens(0.5) ? large.toLowerCase() : large;
  return { ...pieces, path: path.slice(0, at) + shown + path.slice(at + 1) };
}

function smallEscapes(pieces: UrlPieces): UrlPieces {
  const path = pieces.path.replace(/%[0-9A-F]{2}/g, (large) => large.toLowerCase());
  return { ...pieces, path };
}

function writtenPath(pieces: UrlPieces, { writtenPath: written }: SpellingDetails): UrlPieces {
  return written === null || !pieces.path.startsWith("/") ? pieces : { ...pieces, path: written };
}

function withFragment(pieces: UrlPieces, { row }: SpellingDetails): UrlPieces {
  return { ...pieces, fragment: row.pick(["#", "#top", "#s-12", "#/route?x=1", "#%zz"]) };
}

function spaceAround(pieces: UrlPieces, { row }: SpellingDetails): UrlPieces {
  const [before, after] = [row.pick(["", " ", "\n\t", "\r\n "]), row.pick(["", " ", "\n", " \t"])];
  const isHostless = pieces.scheme === "" && pieces.host === "";
  return isHostless
    ? { ...pieces, path: before + pieces.path, fragment: pieces.fragment + after }
    : { ...pieces, scheme: before + pieces.scheme, fragment: pieces.fragment + after };
}

/** Parsers take tabs and line ends out wherever they are. */
function spaceInside(pieces: UrlPieces, { row }: SpellingDetails): UrlPieces {
  const at = 1 + row.below(Math.max(1, pieces.path.length - 1));
  const space = row.pick(["\n", "\t", "\r\n"]);
  return { ...pieces, path: pieces.path.slice(0, at) + space + pieces.path.slice(at) };
}

/** A scheme without slashes is no scheme when it is the page's own. */
function schemeAlone(pieces: UrlPieces): UrlPieces {
  const isBare = pieces.host === "" && pieces.scheme === "" && /^[\w./]/.test(pieces.path);
  return isBare ? { ...pieces, scheme: "http:" } : pieces;
}

function escapeOf(code: number): string {
  return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
}
