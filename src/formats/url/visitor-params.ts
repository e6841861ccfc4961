/**
 * Names of parameters that say something about the visitor, not about the page: session
 * identifiers and marks of advertising campaigns. Names are compared without regard to case.
 *
 * Some session names are also used for other things (`sid` for a story, `s` for a search), so
 * those count only with a value that looks random.
 */
import type { UrlRules } from "./url-rules.ts";

const SESSION_NAMES = new Set(["jsessionid", "phpsessid", "cfid", "cftoken", "oscsid", "zenid"]);
const SESSION_PREFIXES: readonly string[] = ["aspsessionid"];
const SESSION_NAMES_OF_TOKENS = new Set(["sid", "s", "sess", "session", "sessionid", "session_id"]);

const TRACKING_NAMES = new Set([
  ...["gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid"],
  ...["ttclid", "igshid", "mc_cid", "mc_eid", "mkt_tok", "_ga", "_gl", "_hsenc", "_hsmi"],
]);
const TRACKING_PREFIXES: readonly string[] = ["utm_"];

/** At least 26 letters and digits, some of each: the shortest that common servers generate. */
const TOKEN = /^(?=.*[0-9])(?=.*[a-z])[0-9a-z]{26,}$/i;

/** Whether `name=value` is a session identifier. */
export function isSessionParam(param: string): boolean {
  const equalsAt = param.indexOf("=");
  if (equalsAt === -1) return false;
  const name = param.slice(0, equalsAt).toLowerCase();
  if (SESSION_NAMES.has(name) || startsWithAny(name, SESSION_PREFIXES)) return true;
  return SESSION_NAMES_OF_TOKENS.has(name) && TOKEN.test(param.slice(equalsAt + 1));
}

/** Whether `name=value` marks a campaign. */
export function isTrackingParam(param: string): boolean {
  const equalsAt = param.indexOf("=");
  const name = (equalsAt === -1 ? param : param.slice(0, equalsAt)).toLowerCase();
  return TRACKING_NAMES.has(name) || startsWithAny(name, TRACKING_PREFIXES);
}

/** Beginnings of the names that these rules may strip: each name, or the prefix it begins with. */
export function strippableNames(rules: UrlRules): readonly string[] {
  const session = [...SESSION_NAMES, ...SESSION_PREFIXES];
  const ofTokens = [...SESSION_NAMES_OF_TOKENS].map((name) => `${name}=`);
  const tracking = [...TRACKING_NAMES, ...TRACKING_PREFIXES];
  return [
    ...(rules.sessionIds === "strip" ? [...session, ...ofTokens] : []),
    ...(rules.trackingParams === "strip" ? tracking : []),
  ];
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}
