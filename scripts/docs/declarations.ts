/**
 * What the doors of the package export, as the compiler knows it: every name with its comment and its
 * declaration without code. It asks the compiler that the project is built with, by the interface that
 * TypeScript 7 calls unstable; the version is pinned, and docs/adr/0047 says what else was looked at.
 */
import { basename, resolve } from "node:path";
import { type Node, SyntaxKind } from "typescript/unstable/ast";
import {
  isClassDeclaration,
  isFunctionDeclaration,
  isInterfaceDeclaration,
  isSourceFile,
  isTypeAliasDeclaration,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import { API, type Checker, type Symbol as Name, type Project } from "typescript/unstable/sync";

export interface Declaration {
  readonly name: string;
  /** The comment; "" without one. */
  readonly comment: string;
  /** As in a declaration file. */
  readonly text: string;
}

export interface Door {
  /** The comment that opens the file. */
  readonly head: string;
  /** Functions and classes before types, each in the order of their names. */
  readonly declarations: readonly Declaration[];
}

/** The doors of these source files, in their order. */
export function doorsOf(paths: readonly string[]): Door[] {
  const api = new API({ cwd: process.cwd() });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [resolve("tsconfig.build.json")] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error("tsconfig.build.json is not a project");
    return paths.map((path) => doorOf(project, resolve(path)));
  } finally {
    api.close();
  }
}

function doorOf(project: Project, path: string): Door {
  const { program, checker } = project;
  const file = program.getSourceFile(path);
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  if (file === undefined || module === undefined) throw new Error(`${path} is not a module`);
  const found = checker
    .getExportsOfModule(module)
    .map((symbol) => exported(project, symbol))
    .sort((one, other) => one.rank - other.rank || (one.name < other.name ? -1 : 1));
  return {
    head: headOf(file.text),
    declarations: found.map(({ name, comment, text }) => ({ name, comment, text })),
  };
}

/** Of the compiler's flags of a symbol: a name for one that is declared elsewhere. */
const ALIAS = 1 << 21;

function exported(project: Project, symbol: Name): Declaration & { readonly rank: number } {
  const { checker } = project;
  const target = (symbol.flags & ALIAS) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  const nodes = target.declarations.flatMap((handle) => handle.resolve(project) ?? []);
  const { name } = symbol;
  const overloads = nodes.filter((node) => !isFunctionDeclaration(node) || node.body === undefined);
  const shown = overloads.length > 0 ? overloads : nodes;
  const text = nodes.some(isSourceFile)
    ? namespaceText(project, target, name)
    : shown.map((node) => declarationOf(node)).join("\n");
  const comment = commentOf(target, checker) || mainComment(name, nodes[0]);
  const isCode = nodes.some((node) => isFunctionDeclaration(node) || isClassDeclaration(node));
  return { name, comment, text, rank: isCode ? 0 : 1 };
}

/** The names of a module that is exported as one. */
function namespaceText(project: Project, module: Name, name: string): string {
  const inside = project.checker.getExportsOfModule(module).map((one) => exported(project, one));
  const lines = inside.flatMap(({ text, comment }) => [
    ...(comment === "" ? [] : [`/** ${comment.replaceAll("\n", "\n * ")} */`]),
    text,
  ]);
  return `namespace ${name} {\n${lines.join("\n").replaceAll(/^(?=.)/gm, "  ")}\n}`;
}

function commentOf(symbol: Name, checker: Checker): string {
  return symbol.getDocumentationComment(checker).trim();
}

/** The head of a file is about its main export, whose name is that of the file. */
function mainComment(name: string, node: Node | undefined): string {
  const { fileName, text } = node?.getSourceFile() ?? { fileName: "", text: "" };
  const main = basename(fileName, ".ts").replaceAll("-", "");
  return main === name.toLowerCase() ? headOf(text) : "";
}

/** The comment that opens a file. */
function headOf(text: string): string {
  const head = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "";
  return head.replaceAll(/\n \* ?/g, "\n").trim();
}

function declarationOf(node: Node): string {
  if (isFunctionDeclaration(node)) return plain(textOf(node, node.body));
  if (isVariableDeclaration(node)) return `const ${plain(textOf(node, node.initializer))}`;
  if (isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) return plain(textOf(node));
  if (isClassDeclaration(node)) return classText(node);
  throw new Error(`a door exports a ${SyntaxKind[node.kind]}, for which there is no form yet`);
}

type ClassNode = Extract<Parameters<typeof isClassDeclaration>[0], Node> & {
  readonly members: readonly ClassMember[];
};
type ClassMember = Node & { readonly body?: Node; readonly initializer?: Node };

/** Without what is private, and without constructors that have no comment. */
function classText(node: Node): string {
  const { members } = node as ClassNode;
  const [first] = members;
  const whole = textOf(node);
  const start = first === undefined ? whole : textOf(node, first);
  const shown = members
    .map((member) => textOf(member, member.body ?? member.initializer))
    .filter(
      (text) => !/^(?:private |(?:static )?(?:readonly )?#|\w+ #)/.test(withoutComments(text)),
    )
    .filter((text) => !/^(?:private )?constructor\b/.test(text.trim()));
  return `${plain(start).replace(/[;{\s]*$/, "")} {\n${shown.map(memberText).join("\n")}\n}`;
}

function memberText(text: string): string {
  const bare = text.replace(/^(?:[ \t]*\n)+/, "").replace(/\basync (?=[\w*[])/, "");
  const member = bare.replace(/^( *)\*(?=[\w[])/m, "$1");
  return `${member.replace(/[=;\s]*$/, "")};`;
}

/** The text of a node up to one of its parts, with the comments before it. */
function textOf(node: Node, end?: Node): string {
  const { text } = node.getSourceFile();
  return text.slice(node.pos, end?.pos ?? node.end);
}

const COMMENTS = /^(?:\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*))*\s*/;

function withoutComments(text: string): string {
  return text.replace(COMMENTS, "");
}

/** A declaration by itself: no comment before it, no `export`, nothing for the linter. */
function plain(text: string): string {
  const declared = withoutComments(text)
    .replace(/^export /, "")
    .replace(/^(?:async )?function\*? /, "function ")
    .replaceAll(/^ *\/\/ biome-ignore.*\n/gm, "");
  return `${declared.replace(/[=;\s]*$/, "")};`.replace(/\};$/, "}");
}
