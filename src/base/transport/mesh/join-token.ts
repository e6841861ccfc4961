/**
 * What lets an agent into a mesh: a password for routes, and one key with its certificate that all agents
 * of the mesh share. Servers prove to each other, in both directions, that they have that very key, so
 * names and addresses of machines do not matter. As a text it can be copied to other machines:
 *
 *     # Whoever has this file …
 *     -----BEGIN TROBAR JOIN TOKEN-----
 *     (JSON with a checksum, in base64)
 *     -----END TROBAR JOIN TOKEN-----
 */
import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { CrawlError } from "../../errors/index.ts";
import { parseChecked, printChecked, readFile } from "../../folder/index.ts";
import { quoted } from "../../text/index.ts";
import { keyDigest, printCertificate } from "./certificate.ts";

export interface JoinToken {
  /** The id of the crawl that it is for; null for any. */
  readonly crawl: string | null;
  /** Of routes. */
  readonly password: string;
  /** In PEM. */
  readonly certificate: string;
  /** In PEM. */
  readonly key: string;
}

const VERSION = 1;
const PASSWORD_BYTES = 32;
const TEXT_BYTES_MAX = 64 * 1024;
const ARMOUR =
  /^-----BEGIN TROBAR JOIN TOKEN-----\r?\n([A-Za-z0-9+/=\s]*?)-----END TROBAR JOIN TOKEN-----\s*$/m;

/** A new one, with secrets that nobody else has. */
export function makeToken(crawl: string | null): JoinToken {
  const { publicKey, privateKey: signer } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = "Trobar mesh";
  return {
    crawl,
    password: randomBytes(PASSWORD_BYTES).toString("base64url"),
    // Its own years do not limit a token: clocks may be wrong, and a new token is soon made.
    certificate: printCertificate({
      ...{ subject: name, issuer: name, publicKey, signer, serial: 1 },
      ...{ hosts: ["localhost"], isAuthority: true, fromYear: 2020, toYear: 2049 },
    }),
    key: signer.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

export function printToken(token: JoinToken): string {
  const { crawl, password, certificate, key } = token;
  const text = printChecked({ version: VERSION, crawl, password, certificate, key });
  const lines =
    Buffer.from(text)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return [
    "# Whoever has this file can take part in the cluster and read what its agents tell each other.",
    "-----BEGIN TROBAR JOIN TOKEN-----",
    ...lines,
    "-----END TROBAR JOIN TOKEN-----\n",
  ].join("\n");
}

/** The token in a file. Throws `CLUSTER_TOKEN_INVALID`, which tells all that is wrong with it. */
export function readToken(path: string): JoinToken {
  const file = readFile(path, TEXT_BYTES_MAX);
  if (!file.ok) throw invalid(path, [`the file ${file.problem}`]);
  const parsed = parseToken(Buffer.from(file.bytes).toString("utf8"));
  if (parsed.ok) return parsed.token;
  throw invalid(path, parsed.mistakes);
}

/** Throws `CLUSTER_TOKEN_INVALID` if a token is for another crawl than this; null is any. */
export function checkCrawl(token: JoinToken, crawl: string | null): void {
  if (token.crawl === null || crawl === null || token.crawl === crawl) return;
  const message = `The join token is for the crawl ${token.crawl}, and this is ${crawl}. Use its own token.`;
  throw new CrawlError("CLUSTER_TOKEN_INVALID", message, { crawl });
}

type ParsedToken =
  | { readonly ok: true; readonly token: JoinToken }
  /** Clauses. */
  | { readonly ok: false; readonly mistakes: readonly string[] };

export function parseToken(text: string): ParsedToken {
  const armoured = ARMOUR.exec(text)?.[1];
  if (armoured === undefined) return wrong("it has no join token between its two lines of dashes");
  const found = parseChecked(Buffer.from(armoured, "base64").toString("utf8"), "must-have");
  if (found === null) return wrong("it was cut or changed on its way");
  if (found["version"] !== VERSION) {
    return wrong(`it has version ${quoted(String(found["version"]))}, and this Trobar reads 1`);
  }
  const mistakes = CHECKS.flatMap((check) => check(found) ?? []);
  return mistakes.length > 0
    ? { ok: false, mistakes }
    : { ok: true, token: found as unknown as JoinToken };
}

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with one field; null for nothing. */
const CHECKS: readonly ((fields: Fields) => string | null)[] = [
  ({ crawl }) =>
    crawl === null || (typeof crawl === "string" && /^[0-9a-f]{32}$/.test(crawl))
      ? null
      : "its crawl is not the id of a crawl",
  ({ password }) =>
    typeof password === "string" && /^[\w-]{32,128}$/.test(password)
      ? null
      : "its password is not one that Trobar makes",
  ({ certificate }) => (isCertificate(certificate) ? null : "its certificate cannot be read"),
  ({ key }) => (digestOf(key) === null ? "its key cannot be read" : null),
  ({ certificate, key }) => {
    const digests = [digestOf(certificate), digestOf(key)];
    if (digests.includes(null) || digests[0] === digests[1]) return null;
    return "its key is not that of its certificate";
  },
];

function isCertificate(pem: unknown): boolean {
  try {
    return typeof pem === "string" && new X509Certificate(pem).subject !== "";
  } catch {
    return false;
  }
}

function digestOf(pem: unknown): string | null {
  try {
    return typeof pem === "string" ? keyDigest(pem) : null;
  } catch {
    return null;
  }
}

function wrong(mistake: string): ParsedToken {
  return { ok: false, mistakes: [mistake] };
}

function invalid(path: string, mistakes: readonly string[]): CrawlError {
  const message =
    `The join token in ${quoted(path)} cannot be used: ${mistakes.join("; ")}. ` +
    "Make one with `trobar peers token`, and give all agents a copy of that file.";
  return new CrawlError("CLUSTER_TOKEN_INVALID", message, { path });
}
