/**
 * A seed as people write it: a URL, a bare domain (`example.org`, `example.org:8443/docs`), a line of
 * a top-sites list (`17,example.org`), or a URL with user and password in it. The password is taken
 * out, so that it is in no log, no file and no archive; it goes to that host and port alone.
 */
import { printable } from "../../base/text/index.ts";
import type { HostCredential } from "../../fetch/client/index.ts";
import { basicAuthorization } from "../../formats/http/index.ts";
import { assumedUrl, hostOf, parseUrl, URL_REFUSALS } from "../../formats/url/index.ts";

export type ReadSeed =
  | {
      readonly ok: true;
      /** Without user and password. */
      readonly url: string;
      /** Whether `https://` was put in front. */
      readonly isAssumed: boolean;
      readonly credential: HostCredential | null;
    }
  | { readonly ok: false; readonly problem: string };

const USER_REFUSED =
  "has a user, and protocol modules are not given passwords of seeds. Let the module read it itself.";
const USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i;

/** `schemes` are those of protocol modules. */
export function readSeed(text: string, schemes?: ReadonlySet<string>): ReadSeed {
  const assumed = assumedUrl(text);
  const written = assumed ?? text;
  if (written.startsWith("file:")) return readFileSeed(written);
  const url = written.replace(USER, "$1");
  const outcome = parseUrl(url, schemes === undefined ? {} : { schemes });
  if (outcome.kind === "refused") return { ok: false, problem: URL_REFUSALS[outcome.reason] };
  const user = USER.exec(written)?.[2] ?? "";
  if (user !== "" && !/^https?:/.test(outcome.url)) return { ok: false, problem: USER_REFUSED };
  const credential = user === "" ? null : credentialOf(outcome.url, user);
  // What a configuration could not be read back with is kept as it is fetched, which is plain ASCII.
  const kept = printable(url) === url ? url : outcome.url;
  return { ok: true, url: kept, isAssumed: assumed !== null, credential };
}

function readFileSeed(url: string): ReadSeed {
  if (!URL.canParse(url)) return { ok: false, problem: "is not a URL" };
  return { ok: true, url, isAssumed: false, credential: null };
}

type AcceptedUrl = Parameters<typeof hostOf>[0];

/** For the seed's own port; in the clear only where the seed itself is. */
function credentialOf(url: AcceptedUrl, user: string): HostCredential {
  const colon = user.indexOf(":");
  const name = colon === -1 ? user : user.slice(0, colon);
  const password = colon === -1 ? "" : user.slice(colon + 1);
  const { port, protocol } = new URL(url);
  const mayBeClear = protocol === "http:";
  return {
    host: hostOf(url).replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (mayBeClear ? 80 : 443) : Number(port),
    authorization: basicAuthorization(decoded(name), decoded(password)),
    mayBeClear,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
