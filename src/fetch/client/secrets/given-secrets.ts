/**
 * What a user gives to be sent but not recorded: the credentials that `fetch.credentials` names and
 * the cookies of a file. Files and variables are read here, each mistake with its location;
 * what they hold appears in no message.
 */
import { readFile } from "../../../base/folder/index.ts";
import {
  type GivenCookie,
  readAuthorization,
  readCookieFile,
} from "../../../formats/http/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";
import { type ConfigMistake, type Location, mistakeOf } from "../../../rules/settings/index.ts";
import type { HostCredential } from "./host-credentials.ts";

export interface GivenSecrets {
  readonly credentials: readonly NamedCredential[];
  readonly cookies: readonly GivenCookie[];
}

/** Before it is known whether a seed lets it be sent in the clear. */
export type NamedCredential = Omit<HostCredential, "mayBeClear">;

export interface SecretSources {
  readonly configuration: Configuration;
  /** Where `fetch.credentials` was given. */
  readonly location: Location | undefined;
  /** Paths of files of cookies, and where they were given. */
  readonly cookieFiles: readonly string[];
  readonly cookieLocation: Location;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const COOKIE_FILE_BYTES_MAX = 16 * 1024 * 1024;
const CREDENTIAL_FILE_BYTES_MAX = 64 * 1024;

/** Returns what is sound and adds a mistake for what is not. */
export function readSecrets(sources: SecretSources, mistakes: ConfigMistake[]): GivenSecrets {
  return {
    credentials: readCredentials(sources, mistakes),
    cookies: sources.cookieFiles.flatMap((path) =>
      readCookies(path, sources.cookieLocation, mistakes),
    ),
  };
}

function readCredentials(
  { configuration, location = { kind: "default" }, environment }: SecretSources,
  mistakes: ConfigMistake[],
): NamedCredential[] {
  return configuration.fetch.credentials.flatMap(({ host, file, env }) => {
    const name = file ?? env ?? "";
    const content =
      file === null ? variable(environment[name]) : readText(file, CREDENTIAL_FILE_BYTES_MAX);
    const read = content.ok ? readAuthorization(content.text) : content;
    if (read.ok) return [{ ...hostAndPort(host), authorization: read.value }];
    const legal = "user:password, or a scheme and its token such as Bearer abc";
    const { problem } = read;
    const subject = { location, key: "fetch.credentials", value: name };
    mistakes.push(mistakeOf({ code: "CONFIG_BAD_VALUE", ...subject, problem, legal }));
    return [];
  });
}

type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

function variable(text: string | undefined): ReadText {
  return text === undefined ? { ok: false, problem: "is not set" } : { ok: true, text };
}

function readText(path: string, bytesMax: number): ReadText {
  const read = readFile(path, bytesMax + 1);
  if (!read.ok) return read;
  if (read.bytes.length > bytesMax) {
    return { ok: false, problem: `is larger than ${bytesMax} bytes` };
  }
  return { ok: true, text: new TextDecoder().decode(read.bytes) };
}

/** Every bad line of the file is named. */
function readCookies(
  path: string,
  location: Location,
  mistakes: ConfigMistake[],
): readonly GivenCookie[] {
  const file = readText(path, COOKIE_FILE_BYTES_MAX);
  if (!file.ok) {
    const { problem } = file;
    mistakes.push(mistakeOf({ code: "CONFIG_FILE_UNREADABLE", location, value: path, problem }));
    return [];
  }
  const read = readCookieFile(file.text);
  for (const { line, problem } of read.mistakes) {
    const at: Location = { kind: "file", path, line, column: 1 };
    mistakes.push(
      mistakeOf({ code: "CONFIG_SYNTAX", location: at, problem: `the line ${problem}` }),
    );
  }
  if (read.cookies.length + read.mistakes.length === 0) {
    const problem = "has no cookie in it";
    mistakes.push(mistakeOf({ code: "CONFIG_BAD_VALUE", location, value: path, problem }));
  }
  return read.cookies;
}

function hostAndPort(text: string): { readonly host: string; readonly port: number | null } {
  // A bare IPv6 address has several colons and no port.
  const [, inBrackets, name, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  if (port === undefined) return { host: text, port: null };
  return { host: inBrackets ?? name ?? text, port: Number(port) };
}

/** In the clear a credential goes only to a host that a seed asks for in the clear. */
export function withSeeds(
  credentials: readonly NamedCredential[],
  seeds: readonly string[],
): HostCredential[] {
  const clear = new Set<string>();
  for (const seed of seeds) {
    const url = seed.startsWith("http:") ? URL.parse(seed) : null;
    const host = url?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
    if (url !== null) clear.add(`${host}:${url.port || "80"}`).add(host);
  }
  return credentials.map((one) => ({
    ...one,
    mayBeClear: clear.has(one.port === null ? one.host : `${one.host}:${one.port}`),
  }));
}
