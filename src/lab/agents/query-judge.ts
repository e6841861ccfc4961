/**
 * The judge of queries: when a crawl has ended, one agent is asked for a few pages and for the links to
 * them, as a user would; the answers are compared with the disks (Q1, Q2). Faults may still strike, and on a bad
 * network answers take a while: what was told while disks or views have changed does not count, nor what
 * says that somebody is missing, and everything is asked again.
 */
import type { Random } from "../../base/seams/index.ts";
import type { ClusterNode } from "../../cluster/node/index.ts";
import type { SimMachine } from "./sim-machine.ts";
import { hostNameOf, ticketOf } from "./small-web.ts";

export interface QueryJudgeParts {
  readonly random: Random;
  readonly members: () => readonly SimMachine[];
}

const QUESTIONS = 2;

type Links = ReturnType<ClusterNode["queries"]["linksTo"]>;

/** Questions that were asked together, and what is wrong with the answers. */
interface Round {
  /** What disks and views were like. */
  readonly state: string;
  open: number;
  isIncomplete: boolean;
  readonly wrong: string[];
}

export class QueryJudge {
  readonly #parts: QueryJudgeParts;
  #round: Round | null = null;

  constructor(parts: QueryJudgeParts) {
    this.#parts = parts;
  }

  /** Everything seems to be over: asks, unless that has been done; whether it is done now. */
  begin(): boolean {
    if (this.#round !== null) return false;
    this.#round = this.#ask();
    return true;
  }

  /** Whether all questions are answered; if not as they must be, they are to be asked again. */
  isAnswered(): boolean {
    const round = this.#round;
    if (round === null || round.open > 0) return false;
    if (!round.isIncomplete && round.state === this.#state()) return true;
    this.#round = null;
    return false;
  }

  verdict(): string | null {
    return this.#round?.wrong[0] ?? null;
  }

  #ask(): Round {
    const { random, members } = this.#parts;
    const round: Round = { state: this.#state(), open: 0, isIncomplete: false, wrong: [] };
    const machines = members();
    const urls = machines.flatMap((machine) => [...machine.pages()].map(({ url }) => url));
    const node = machines[random.below(machines.length)]?.agent?.node ?? null;
    if (node === null || urls.length === 0) return round;
    for (let count = 0; count < QUESTIONS; count += 1) {
      const url = urls[random.below(urls.length)] as string;
      round.open += 2;
      this.#askPage(round, node, url);
      this.#askLinks(round, node.queries.linksTo(url), url);
    }
    return round;
  }

  #askPage(round: Round, { queries }: ClusterNode, url: string): void {
    queries.get(url, hostNameOf(url) as never, (answer) => {
      round.open -= 1;
      if (answer.kind === "unknown") round.isIncomplete = true;
      else if (answer.kind === "absent") {
        round.wrong.push(`${answer.by.id} says that there is no ${url}`);
      } else this.#comparePage(round, url, answer);
    });
  }

  #comparePage(
    { wrong }: Round,
    url: string,
    answer: { readonly holder: { readonly id: string }; readonly totalBytes: number },
  ): void {
    const { holder, totalBytes } = answer;
    const copies = this.#copies().filter((page) => page.url === url);
    const copy = copies.find(({ machine }) => machine.id === holder.id);
    const body = copy?.machine.agent?.pages?.of(ticketOf(url, 0))?.body ?? "";
    if (copy === undefined) wrong.push(`the visible copy of ${url} is not at ${holder.id}`);
    else if (totalBytes !== body.length) wrong.push(`${url} has ${totalBytes} bytes`);
  }

  #askLinks(round: Round, links: Links, url: string, found: readonly string[] = []): void {
    links.next(({ from, items, missing }) => {
      const more = [...found, ...items.map((item) => Buffer.from(item).toString())];
      if (from !== null) {
        this.#askLinks(round, links, url, more);
        return;
      }
      links.close();
      round.open -= 1;
      if (missing.length > 0) round.isIncomplete = true;
      else this.#compareLinks(round, url, more);
    });
  }

  #compareLinks({ wrong }: Round, url: string, found: readonly string[]): void {
    const linking = this.#copies().filter(({ links }) => links.includes(url));
    const wanted = linking.map((page) => page.url).toSorted();
    const told = found.toSorted();
    if (told.join() !== wanted.join()) wrong.push(`links to ${url}: ${told}, not ${wanted}`);
  }

  #state(): string {
    const states = this.#parts.members().map(({ id, wentAtMs, agent }) => {
      const { pages = null, node = null } = agent ?? {};
      return `${id} ${wentAtMs} ${pages?.end} ${node?.view.hash}`;
    });
    return states.join();
  }

  /** The visible copies of all pages. */
  #copies(): readonly ReturnType<typeof visible>[number][] {
    return this.#parts.members().flatMap(visible);
  }
}

function visible(machine: SimMachine): readonly {
  readonly machine: SimMachine;
  readonly url: string;
  readonly links: readonly string[];
}[] {
  const pages = [...(machine.agent?.pages?.pages() ?? [])];
  return pages
    .filter(({ isDurable, hiddenBy }) => isDurable && hiddenBy === null)
    .map(({ url, links }) => ({ machine, url, links }));
}
