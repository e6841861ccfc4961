/**
 * What pages say to robots about themselves: nofollow and noarchive in every form, in a `meta` or
 * in an `X-Robots-Tag`, to everybody or to this crawler; and the same words said to others, which
 * mean nothing here.
 */
import type { Header } from "../../../base/seams/index.ts";
import { Chance, threshold } from "../model/chance.ts";

export interface Directives {
  /** Markup for the head. */
  readonly markup: string;
  readonly headers: readonly Header[];
}

const NONE: Directives = { markup: "", headers: [] };
const OTHERS_SHARE = 0.1;

export class RobotsDirectives {
  readonly #token: string;
  readonly #chance: { noarchive: Chance; form: Chance };
  readonly #noarchive: number;
  readonly #others: number;

  constructor(seed: string, noarchiveShare: number, token: string) {
    this.#token = token;
    this.#chance = {
      noarchive: new Chance(seed, "noarchive"),
      form: new Chance(seed, "form of directives"),
    };
    this.#noarchive = threshold(noarchiveShare);
    this.#others = threshold(noarchiveShare > 0 ? OTHERS_SHARE : 0);
  }

  /** Whether the page asks not to be kept. */
  isNoarchive(content: number, slot: number): boolean {
    return this.#noarchive > 0 && this.#chance.noarchive.one(content, slot) < this.#noarchive;
  }

  of(content: number, slot: number, isNofollow: boolean): Directives {
    const form = this.#chance.form.one(content, slot);
    const words = [
      ...(this.isNoarchive(content, slot) ? ["noarchive"] : []),
      ...(isNofollow ? ["nofollow"] : []),
    ];
    if (words.length > 0) return this.#said(words.join(", "), form);
    return form < this.#others ? saidToOthers(form) : NONE;
  }

  #said(word: string, form: number): Directives {
    const token = this.#token;
    switch (form % 10) {
      case 0:
        return inMarkup(`<meta name="robots" content="${word}">`);
      case 1:
        return inMarkup(`<META NAME=ROBOTS CONTENT="INDEX, ${word.toUpperCase()}">`);
      case 2:
        return inMarkup(`<meta content='noindex,${word}' name='robots' />`);
      case 3:
        return inMarkup(`<meta name="${token}" content="${word}">`);
      case 4:
        return inMarkup(
          `<meta name="robots" content="all">\n<meta name="robots" content=" ${word} ">`,
        );
      case 5:
        return inHeaders(word);
      case 6:
        return inHeaders(`noindex, ${word}`);
      case 7:
        return inHeaders("noindex", word);
      case 8:
        return inHeaders(`${token}: ${word}`);
      default:
        return word === "nofollow"
          ? inMarkup(`<meta name="robots" content="none">`)
          : inHeaders(word.toUpperCase());
    }
  }
}

function saidToOthers(form: number): Directives {
  return (form & 1) === 0
    ? inMarkup(`<meta name="otherbot" content="nofollow, noarchive">`)
    : inHeaders("otherbot: nofollow");
}

function inMarkup(markup: string): Directives {
  return { markup: `${markup}\n`, headers: [] };
}

function inHeaders(...values: readonly string[]): Directives {
  return { markup: "", headers: values.map((value) => ["X-Robots-Tag", value]) };
}
