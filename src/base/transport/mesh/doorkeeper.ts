/**
 * Keeps account of who was turned away: strangers whom this agent's server has refused, by reason, and
 * addresses that it was to join where it was refused itself. The latter are told, each once for each kind of
 * trouble: the server tries again for ever, and without a word nobody would know why an agent stays alone.
 * Silence is told if it lasts: agents that start together are not there at once, and of the addresses of a
 * name (`localhost`) any may be tried first.
 */
import { CrawlError } from "../../errors/index.ts";
import type { Clock, Timer } from "../../seams/index.ts";
import { printable } from "../../text/index.ts";
import {
  type ConnectionRefusal,
  type PeerTrouble,
  type ServerWord,
  wordIn,
} from "./server-words.ts";

export interface DoorkeeperParts {
  readonly clock: Clock;
  /** `HOST:PORT` of those whom the server was to join. */
  readonly join: readonly string[];
  readonly told: (error: CrawlError, isShutOut: boolean) => void;
}

const WORDS_LENGTH_MAX = 200;
const SILENCE_MS = 5000;
/**
 * A server whose password is right may be refused once all the same, and let in a second later: seen with
 * agents that name themselves among those to join, in 5 of 30 starts on a busy machine (2.9.10). Why is not
 * known. A wrong password is refused again every second.
 */
const LOGIN_TRIES = 3;
const LOGIN_REFUSED = /'Authorization Violation'/;

type Trouble = Extract<ServerWord, { readonly kind: "peer" }>;

export class Doorkeeper {
  readonly #parts: DoorkeeperParts;
  readonly #refused = new Map<ConnectionRefusal, number>();
  readonly #told = new Set<string>();
  /** Addresses where nobody has answered yet, each until that is told. */
  readonly #silent = new Map<string, Timer>();
  /** How often an address has refused the login of this agent, whose key it has accepted. */
  readonly #logins = new Map<string, number>();
  /** Addresses that will not let this agent in, whatever it waits for. */
  readonly #closed = new Set<string>();

  constructor(parts: DoorkeeperParts) {
    this.#parts = parts;
  }

  /** How many connections the server has refused or cut off, by reason. */
  get refused(): ReadonlyMap<ConnectionRefusal, number> {
    return this.#refused;
  }

  /** A line of the server's log. */
  heard(line: string): void {
    const word = wordIn(line, this.#parts.join);
    if (word === null) return;
    if (word.kind === "refused") {
      this.#refused.set(word.why, (this.#refused.get(word.why) ?? 0) + 1);
    } else if (word.kind === "reached") this.#forgetSilence(word.at);
    else if (word.trouble === "silent") this.#waitFor(word);
    else if (!LOGIN_REFUSED.test(word.words) || this.#isRefusedAgain(word.at)) this.#tell(word);
  }

  #isRefusedAgain(at: string): boolean {
    const times = (this.#logins.get(at) ?? 0) + 1;
    this.#logins.set(at, times);
    return times >= LOGIN_TRIES;
  }

  close(): void {
    for (const timer of this.#silent.values()) timer.cancel();
    this.#silent.clear();
  }

  #waitFor(word: Trouble): void {
    if (this.#silent.has(word.at)) return;
    const timer = this.#parts.clock.after(SILENCE_MS, () => {
      this.#silent.delete(word.at);
      this.#tell(word);
    });
    this.#silent.set(word.at, timer);
  }

  /** It, or another address of the same name, which is not known here: one with the same port. */
  #forgetSilence(reached: string): void {
    const { join } = this.#parts;
    for (const [at, timer] of this.#silent) {
      const isSame = at === reached || (portOf(at) === portOf(reached) && !join.includes(at));
      if (!isSame) continue;
      timer.cancel();
      this.#silent.delete(at);
    }
  }

  #tell({ trouble, at, words }: Trouble): void {
    const { join, told } = this.#parts;
    const tale = `${trouble} ${at}`;
    if (this.#told.has(tale)) return;
    this.#told.add(tale);
    if (trouble !== "silent") this.#closed.add(at);
    const isShutOut = join.length > 0 && this.#closed.size >= join.length;
    told(errorOf(trouble, printable(at), said(words)), isShutOut);
  }
}

function portOf(at: string): string {
  return /:\d+$/.exec(at)?.[0] ?? at;
}

function said(words: string): string {
  return printable(words.slice(0, WORDS_LENGTH_MAX));
}

function errorOf(trouble: PeerTrouble, at: string, words: string): CrawlError {
  const fields = { at, words };
  switch (trouble) {
    case "token":
      return new CrawlError(
        "CLUSTER_TOKEN_REFUSED",
        `The server at ${at} has another join token than this agent (${words}), so neither lets the other ` +
          "in: it is an agent of another cluster or another user, or no agent at all. Write the token of " +
          "an agent there to a file with `trobar peers token`, copy it here, and give it with --token.",
        fields,
      );
    case "stranger":
      return new CrawlError(
        "CLUSTER_PEER_INVALID",
        `What listens at ${at} is not the mesh of an agent (${words}). Join the address at which an agent ` +
          "listens for other agents, not that of its API or of another program.",
        fields,
      );
    case "silent":
      return new CrawlError(
        "CLUSTER_PEER_SILENT",
        `Nobody lets this agent in at ${at} (${words}). It is tried again every second. Look whether an ` +
          "agent runs there, whether it listens for other machines (--listen), and whether a firewall is " +
          "in between.",
        fields,
      );
  }
}
