/**
 * From the text of a filter to its tree, by recursive descent over BUbiNG's grammar:
 *
 *     or     := and (OR and)*          ground := WORD "(" arguments ")" | TRUE | FALSE
 *     and    := not (AND not)*                  | "(" or ")"
 *     not    := NOT* ground
 *
 * After a mistake the parser continues with the simplest correction, so that one run finds them
 * all. It reads every character a bounded number of times and never nests deeper than DEPTH_MAX: no
 * text makes it hang or overflow the stack.
 */
import { readArguments } from "./arguments.ts";
import { type Argument, type FilterNode, group } from "./expression.ts";
import { type FilterMistake, MISTAKES_MAX } from "./filter-error.ts";
import { keywordOf, type Token, type TokenKind, tokenAt } from "./lexer.ts";

/** Parentheses and `not` inside one another; deeper is refused. */
const DEPTH_MAX = 500;

/** Longer texts are refused: a list of that size belongs in a user's atom. */
const TEXT_LENGTH_MAX = 1 << 20;

/** BUbiNG's own atoms may carry the name of their Java package. */
const JAVA_PACKAGE = "it.unimi.di.law.warc.filters.";

export interface Parsed {
  readonly root: FilterNode;
  readonly mistakes: readonly FilterMistake[];
  /** Atoms whose arguments could not be read: no further mistakes are reported for them. */
  readonly brokenAtoms: ReadonlySet<FilterNode>;
}

/**
 * The tree and what is wrong with it; with mistakes the tree is only good for finding more.
 * `takesWhole` tells whether an atom takes all that is between its parentheses as one argument.
 */
export function parseTolerantly(text: string, takesWhole: (name: string) => boolean): Parsed {
  if (text.length > TEXT_LENGTH_MAX) {
    const problem = `it is longer than ${TEXT_LENGTH_MAX} characters`;
    return { root: NOTHING, mistakes: [{ at: undefined, problem }], brokenAtoms: new Set() };
  }
  const parser = new Parser(text, takesWhole);
  const root = parser.parse();
  return { root, mistakes: parser.mistakes, brokenAtoms: parser.brokenAtoms };
}

/** Stands where something is missing; never part of a tree without mistakes. */
const NOTHING: FilterNode = { kind: "constant", value: true };

class Parser {
  readonly mistakes: FilterMistake[] = [];
  readonly brokenAtoms = new Set<FilterNode>();
  readonly #text: string;
  readonly #takesWhole: (name: string) => boolean;
  #token: Token;
  #depth = 0;
  #hasStopped = false;

  constructor(text: string, takesWhole: (name: string) => boolean) {
    this.#text = text;
    this.#takesWhole = takesWhole;
    this.#token = tokenAt(text, 0);
  }

  parse(): FilterNode {
    if (this.#is("end")) {
      this.#mistake(undefined, "it is empty; TRUE accepts everything");
      return NOTHING;
    }
    const parts = [this.#or()];
    // Only a stray `)` ends a formula before its text; what follows it is looked at, too.
    while (this.#is("close")) {
      this.#mistake(this.#token.at, "this ) closes nothing");
      this.#advance();
      if (this.#is("and") || this.#is("or")) this.#advance();
      if (!this.#is("close") && !this.#is("end")) parts.push(this.#or());
    }
    return group("and", parts);
  }

  #or(): FilterNode {
    const operands = [this.#and()];
    while (this.#is("or")) {
      this.#advance();
      operands.push(this.#and());
    }
    return group("or", operands);
  }

  #and(): FilterNode {
    const operands = [this.#not()];
    while (this.#is("and") || this.#startsGround()) {
      if (this.#is("and")) this.#advance();
      else this.#mistake(this.#token.at, "`and` or `or` is missing here");
      operands.push(this.#not());
    }
    return group("and", operands);
  }

  #not(): FilterNode {
    let count = 0;
    for (; this.#is("not"); count += 1) {
      this.#enter();
      this.#advance();
    }
    let node = this.#ground();
    for (let index = 0; index < count; index += 1) node = { kind: "not", operand: node };
    this.#depth -= count;
    return node;
  }

  #ground(): FilterNode {
    const token = this.#token;
    switch (token.kind) {
      case "true":
      case "false":
        return this.#constant(token);
      case "open":
        return this.#parenthesis(token);
      case "word":
        return this.#atom(token);
      default:
        this.#mistake(token.at, `an atom is expected here, not ${shown(token)}`);
        if (token.kind !== "unknown") return NOTHING;
        this.#advance();
        return this.#startsGround() ? this.#ground() : NOTHING;
    }
  }

  #constant(token: Token): FilterNode {
    this.#advance();
    if (this.#is("open")) {
      this.#mistake(this.#token.at, `${token.text} is a constant and takes no arguments`);
    }
    return { kind: "constant", value: token.kind === "true" };
  }

  #parenthesis(open: Token): FilterNode {
    this.#enter();
    this.#advance();
    const inner = this.#or();
    if (this.#is("close")) this.#advance();
    else this.#mistake(open.at, "this ( is never closed");
    this.#depth -= 1;
    return inner;
  }

  #atom(token: Token): FilterNode {
    const name = withoutPackage(token.text);
    this.#advance();
    const args = this.#arguments(name, token);
    const { module, at } = token;
    const node: FilterNode = { kind: "atom", module, name, args: args ?? [], at };
    if (args === undefined) this.brokenAtoms.add(node);
    return node;
  }

  /** Undefined after a mistake in them. */
  #arguments(name: string, token: Token): readonly Argument[] | undefined {
    if (!this.#is("open")) {
      this.#mistake(token.end, `${name} needs parentheses, also without arguments: ${name}()`);
      return undefined;
    }
    const isWhole = token.module === undefined && this.#takesWhole(name);
    const read = readArguments(this.#text, this.#token.at, isWhole);
    for (const mistake of read.mistakes) this.#mistake(mistake.at, mistake.problem);
    if (!this.#hasStopped) this.#token = tokenAt(this.#text, read.end);
    return read.mistakes.length > 0 ? undefined : read.args;
  }

  #startsGround(): boolean {
    return !this.#is("or") && !this.#is("and") && !this.#is("close") && !this.#is("end");
  }

  #is(kind: TokenKind): boolean {
    return this.#token.kind === kind;
  }

  #advance(): void {
    this.#token = tokenAt(this.#text, this.#token.end);
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth <= DEPTH_MAX) return;
    this.#mistake(this.#token.at, `it nests more than ${DEPTH_MAX} deep`);
    this.#stop();
  }

  #mistake(at: number | undefined, problem: string): void {
    if (this.#hasStopped) return;
    this.mistakes.push({ at, problem });
    if (this.mistakes.length >= MISTAKES_MAX) this.#stop();
  }

  /** Treats the text as ended here: what is open unwinds without further mistakes. */
  #stop(): void {
    this.#hasStopped = true;
    this.#token = tokenAt(this.#text, this.#text.length);
  }
}

/**
 * Only from a name that could stand by itself, so that the print of an atom is read as that atom.
 */
function withoutPackage(text: string): string {
  const name = text.startsWith(JAVA_PACKAGE) ? text.slice(JAVA_PACKAGE.length) : "";
  return /^[A-Za-z0-9_$]+$/.test(name) && keywordOf(name) === undefined ? name : text;
}

function shown(token: Token): string {
  return token.kind === "end" ? "the end" : `"${token.text.slice(0, 20)}"`;
}
