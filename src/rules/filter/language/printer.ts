/**
 * From a tree to its normal text: `and`, `or`, `not`, TRUE and FALSE as words, parentheses only
 * where the tree needs them, quotes only around arguments that need them. Parsing the print of any
 * tree gives an equal tree.
 */
import type { AtomNode, FilterNode, GroupNode } from "./expression.ts";

export function printFilter(node: FilterNode): string {
  switch (node.kind) {
    case "constant":
      return node.value ? "TRUE" : "FALSE";
    case "atom":
      return printAtom(node);
    case "not":
      return `not ${printOperand(node.operand, isGroup(node.operand))}`;
    default:
      return printGroup(node);
  }
}

function printGroup(node: GroupNode): string {
  // `and` binds closer than `or`, so only an `and` inside an `or` can do without parentheses.
  return node.operands
    .map((operand) => printOperand(operand, operand.kind === "or" || operand.kind === node.kind))
    .join(` ${node.kind} `);
}

function printOperand(node: FilterNode, isBracketed: boolean): string {
  const text = printFilter(node);
  return isBracketed ? `(${text})` : text;
}

function isGroup(node: FilterNode): boolean {
  return node.kind === "and" || node.kind === "or";
}

function printAtom(node: AtomNode): string {
  const module = node.module === undefined ? "" : `${printModule(node.module)}#`;
  return `${module}${node.name}(${node.args.map((arg) => printArgument(arg.text)).join(",")})`;
}

function printModule(module: string): string {
  return /^[A-Za-z0-9_.$@/:+%-]+$/.test(module) ? module : quote(module);
}

/** As it would be written in a filter; also for atoms that are made by a program. */
export function printArgument(text: string): string {
  return /^[^\s'"(),]+$/.test(text) ? text : quote(text);
}

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  // A backslash is doubled only where it would otherwise take the next character literally.
  const escaped = text.replaceAll(mark === "'" ? /\\(?=[\\']|$)|'/g : /\\(?=[\\"]|$)|"/g, "\\$&");
  return `${mark}${escaped}${mark}`;
}
