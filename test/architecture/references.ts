/**
 * Which file of the repository refers to which: what it imports, and what it names by a relative
 * path to run it as a program or a thread.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { withoutComments } from "./walls.ts";

const RELATIVE = /["'](\.{1,2}\/[^"'\n]+\.[jt]s)["']/g;

export class References {
  readonly #targets = new Map<string, readonly string[]>();
  readonly #users = new Map<string, string[]>();

  /** All sources that these patterns find, below the root. */
  static of(...patterns: readonly string[]): References {
    const paths = globSync([...patterns]).map((path) => path.split(sep).join("/"));
    return new References(
      new Map(paths.sort().map((path) => [path, readFileSync(path, "utf8")] as const)),
    );
  }

  constructor(texts: ReadonlyMap<string, string>) {
    for (const [path, text] of texts) {
      const named = [...withoutComments(text).matchAll(RELATIVE)].map(([, specifier = ""]) =>
        normalize(join(dirname(path), specifier))
          .split(sep)
          .join("/"),
      );
      const targets = [...new Set(named)].filter((target) => texts.has(target) && target !== path);
      this.#targets.set(path, targets);
      for (const target of targets) {
        const users = this.#users.get(target) ?? [];
        users.push(path);
        this.#users.set(target, users);
      }
    }
  }

  get paths(): string[] {
    return [...this.#targets.keys()];
  }

  /** Files that refer to this one themselves. */
  usersOf(path: string): readonly string[] {
    return this.#users.get(path) ?? [];
  }

  /** Files that refer to this one, directly or through files that `through` accepts. */
  reachersOf(path: string, through: (path: string) => boolean): ReadonlySet<string> {
    return closure(path, (at) => (at === path || through(at) ? this.usersOf(at) : []));
  }

  /** What this file refers to, and what that refers to, and so on. */
  reachOf(path: string): ReadonlySet<string> {
    return closure(path, (at) => this.#targets.get(at) ?? []);
  }
}

function closure(start: string, next: (path: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...next(start)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    waiting.push(...next(path));
  }
  return found;
}
