/** Trees of nodes with roles: what the pages of the second generator are before they are printed. */
import type { Random } from "../../../../src/base/seams/index.ts";

export interface Node {
  readonly tag: string;
  readonly role: string;
  readonly text: string;
  readonly children: readonly Node[];
}

export function node(tag: string, role: string, children: readonly Node[]): Node {
  return { tag, role, text: "", children };
}

export function leaf(tag: string, text: string, role = ""): Node {
  return { tag, role, text, children: [] };
}

export function many(count: number, make: () => Node): Node[] {
  return Array.from({ length: count }, make);
}

export function onRole(tree: Node, role: string, change: (node: Node) => Node): Node {
  if (tree.role === role) return change(tree);
  return { ...tree, children: tree.children.map((child) => onRole(child, role, change)) };
}

export function find(tree: Node, role: string): Node {
  if (tree.role === role) return tree;
  for (const child of tree.children) {
    const found = find(child, role);
    if (found.role === role) return found;
  }
  return tree;
}

export function shuffle(random: Random): (node: Node) => Node {
  return (tree) => {
    const children = [...tree.children];
    for (let last = children.length - 1; last > 0; last--) {
      const other = random.below(last + 1);
      const swapped = children[last] as Node;
      children[last] = children[other] as Node;
      children[other] = swapped;
    }
    return { ...tree, children };
  };
}

export function otherDigits(tree: Node, random: Random): Node {
  return {
    ...tree,
    text: tree.text.replace(/\d+/g, () => String(random.below(10_000))),
    children: tree.children.map((child) => otherDigits(child, random)),
  };
}

/** Attributes, indentation and an inline script differ from printing to printing. */
export function print(tree: Node, random: Random): string {
  const indent = " ".repeat(random.below(4));
  const visit = ({ tag, text, children }: Node): string => {
    const attribute = random.below(3) === 0 ? ` data-v="${random.below(1000)}"` : "";
    const inner = children.length === 0 ? text : children.map(visit).join("");
    return `<${tag}${attribute}>${inner}</${tag}>\n${indent}`;
  };
  return `<!doctype html>\n<script>track(${random.below(1_000_000)})</script>\n${visit(tree)}`;
}
