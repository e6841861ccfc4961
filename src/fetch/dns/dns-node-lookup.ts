/**
 * The real lookup, on Node's resolver (c-ares): UDP with a random source port and query id, TCP for
 * long answers, several servers in turn. It does not cache.
 *
 * c-ares has no deadline for a question. It repeats a question after a time that it lowers, to a
 * quarter of a second, for servers that are usually quick, and gives up after some tries: perhaps
 * long before a slow but honest answer arrives. So the resolver asks again after a `timed-out` until
 * its own deadline. A single question cannot be cancelled: when the deadline comes first, c-ares goes
 * on in vain, but only for the remaining tries.
 */
import { type RecordWithTtl, Resolver } from "node:dns";
import type { Clock } from "../../base/seams/index.ts";
import type { AddressFamily, AddressLookup, AliasAnswer, LookupAnswer } from "./dns-lookup.ts";

export interface NodeLookupOptions {
  readonly clock: Clock;
  /** `ADDRESS:PORT`, IPv6 in brackets; empty for those of the system. */
  readonly servers: readonly string[];
  /** How long a question is worth asking. */
  readonly timeoutMs: number;
}

/** Answers to earlier tries of a question count too, so several tries wait longer than one. */
const TRIES = 4;
const TRY_SHARE = 1 / 3;
const TRY_MS_MAX = 10_000;

export class NodeLookup implements AddressLookup {
  readonly #clock: Clock;
  readonly #resolver: Resolver;

  constructor({ clock, servers, timeoutMs }: NodeLookupOptions) {
    this.#clock = clock;
    const tryMs = Math.min(TRY_MS_MAX, Math.ceil(timeoutMs * TRY_SHARE));
    this.#resolver = new Resolver({ timeout: tryMs, maxTimeout: tryMs, tries: TRIES });
    if (servers.length > 0) this.#resolver.setServers(servers);
  }

  ask(name: string, family: AddressFamily, answered: (answer: LookupAnswer) => void): void {
    const take = (error: NodeJS.ErrnoException | null, records: RecordWithTtl[]): void =>
      answered(error === null ? foundOf(records) : failureOf(error));
    try {
      if (family === 4) this.#resolver.resolve4(name, { ttl: true }, take);
      else this.#resolver.resolve6(name, { ttl: true }, take);
    } catch (error) {
      // Node throws when c-ares cannot start, for lack of memory or descriptors.
      this.#clock.after(0, () => answered(failureOf(error as NodeJS.ErrnoException)));
    }
  }

  askAlias(name: string, answered: (answer: AliasAnswer) => void): void {
    try {
      this.#resolver.resolveCname(name, (error, names) => answered(aliasOf(error, names)));
    } catch {
      this.#clock.after(0, () => answered({ kind: "unknown" }));
    }
  }

  close(): void {
    this.#resolver.cancel();
  }
}

function foundOf(records: readonly RecordWithTtl[]): LookupAnswer {
  if (records.length === 0) return { kind: "not-found" };
  return {
    kind: "found",
    records: records.map(({ address, ttl }) => ({ address, ttlSeconds: ttl })),
  };
}

function aliasOf(error: NodeJS.ErrnoException | null, names: readonly string[]): AliasAnswer {
  if (error !== null) return { kind: isNotFound(error) ? "none" : "unknown" };
  const [of] = names;
  return of === undefined ? { kind: "none" } : { kind: "alias", of };
}

/** A name that cannot be put into a question does not exist either. */
const NOT_FOUND_CODES: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

function isNotFound({ code = "unknown" }: NodeJS.ErrnoException): boolean {
  return NOT_FOUND_CODES.has(code);
}

function failureOf(error: NodeJS.ErrnoException): LookupAnswer {
  const { code = "unknown" } = error;
  if (isNotFound(error)) return { kind: "not-found" };
  return code === "ETIMEOUT" ? { kind: "timed-out" } : { kind: "failed", reason: code };
}
