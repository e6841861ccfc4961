/**
 * A filter as it was understood: a tree of `and`, `or`, `not`, constants and atoms. The tree keeps
 * the grouping of the text (`a and (b and c)` is not `a and b and c`) so that printing it and
 * parsing the print gives an equal tree. Offsets say where in the text a part came from; they are
 * for messages and are no part of a tree's identity.
 */
export type FilterNode = ConstantNode | AtomNode | NotNode | GroupNode;

export interface ConstantNode {
  readonly kind: "constant";
  readonly value: boolean;
}

export interface AtomNode {
  readonly kind: "atom";
  /** The module that defines the atom; undefined for one that is known by its name alone. */
  readonly module: string | undefined;
  readonly name: string;
  readonly args: readonly Argument[];
  readonly at: number;
}

export interface Argument {
  readonly text: string;
  readonly at: number;
}

export interface NotNode {
  readonly kind: "not";
  readonly operand: FilterNode;
}

export interface GroupNode {
  readonly kind: "and" | "or";
  /** At least two. */
  readonly operands: readonly FilterNode[];
}

/** The operands joined; a single one is the group itself. */
export function group(kind: "and" | "or", operands: readonly FilterNode[]): FilterNode {
  const only = operands.length === 1 ? operands[0] : undefined;
  return only ?? { kind, operands };
}

/** Every atom of a tree, from left to right. */
export function atomsOf(node: FilterNode): readonly AtomNode[] {
  switch (node.kind) {
    case "constant":
      return [];
    case "atom":
      return [node];
    case "not":
      return atomsOf(node.operand);
    default:
      return node.operands.flatMap(atomsOf);
  }
}
