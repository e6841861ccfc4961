/**
 * What an atom is: it says which view it looks at and makes, from its arguments, a predicate on
 * that view. Users write the same thing in a module of their own (`Atom`); the built-in ones add
 * how their arguments are read, so that a wrong number of them is found before they are made.
 *
 * A predicate is called for every URL, link or page: it must be synchronous and fast, must not
 * keep the view, and must answer true or false.
 */
import type {
  AnyView,
  HopView,
  LinkView,
  PageView,
  Predicate,
  ResponseView,
  Sight,
  UrlView,
  ViewOf,
} from "../view.ts";

/** An atom as a user's module exports it under the atom's name. */
export interface Atom<Seen extends Sight = Sight> {
  readonly looksAt: Seen;
  /** Called once, when the filter is loaded. Throws an Error that says what is wrong with them. */
  create(args: readonly string[]): Predicate<ViewOf[Seen]>;
}

export interface BuiltInAtom {
  readonly looksAt: Sight;
  readonly argumentsMin: number;
  readonly argumentsMax: number;
  /** Everything between the parentheses is one argument, commas included. */
  readonly takesWhole: boolean;
  create(args: readonly string[]): Predicate;
}

/** A bad argument; `index` counts from 0. */
export class ArgumentMistake extends Error {
  readonly index: number;

  constructor(problem: string, index = 0) {
    super(problem);
    this.index = index;
  }
}

/** Makes atoms on one view, so that none can read what it did not declare. */
interface AtomMaker<View> {
  /** Takes no argument. */
  plain(test: Predicate<View>): BuiltInAtom;
  /** Takes one argument, which may contain commas. */
  text(create: (text: string) => Predicate<View>): BuiltInAtom;
  /** Takes one whole number of at least `min`. */
  count(min: number, create: (count: number) => Predicate<View>): BuiltInAtom;
  /** Takes one or more arguments, separated by commas. */
  list(create: (items: readonly string[]) => Predicate<View>): BuiltInAtom;
  /** Takes a first argument and possibly a second. */
  pair(
    argumentsMin: 1 | 2,
    create: (first: string, second: string | undefined) => Predicate<View>,
  ): BuiltInAtom;
}

export const onUrl: AtomMaker<UrlView> = atomMaker("url");
export const onHop: AtomMaker<HopView> = atomMaker("hop");
export const onLink: AtomMaker<LinkView> = atomMaker("link");
export const onResponse: AtomMaker<ResponseView> = atomMaker("response");
export const onPage: AtomMaker<PageView> = atomMaker("page");

function atomMaker(looksAt: Sight): AtomMaker<AnyView> {
  const exactly = (argumentsMin: number, argumentsMax: number, takesWhole = false) => ({
    looksAt,
    argumentsMin,
    argumentsMax,
    takesWhole,
  });
  return {
    plain: (test) => ({ ...exactly(0, 0), create: () => test }),
    text: (create) => ({ ...exactly(1, 1, true), create: ([text = ""]) => create(text) }),
    count: (min, create) => ({
      ...exactly(1, 1),
      create: ([text = ""]) => create(readCount(text, min)),
    }),
    list: (create) => ({ ...exactly(1, Number.POSITIVE_INFINITY), create }),
    pair: (argumentsMin, create) => ({
      ...exactly(argumentsMin, 2),
      create: ([first = "", second]) => create(first, second),
    }),
  };
}

function readCount(text: string, min: number): number {
  const count = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= min) return count;
  throw new ArgumentMistake(`a whole number of at least ${min} is expected, not "${text}"`);
}
