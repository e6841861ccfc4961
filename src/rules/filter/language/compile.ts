/**
 * From a tree to one predicate: closures that call one another, with the short circuit of the
 * language. Constants are folded away.
 */

import type { Predicate } from "../view.ts";
import type { FilterNode } from "./expression.ts";

export const ACCEPT_ALL: Predicate = () => true;
const REFUSE_ALL: Predicate = () => false;

/** `predicateOf` is called once for each atom, from left to right. */
export function compileTree(
  node: FilterNode,
  predicateOf: (atom: FilterNode & { kind: "atom" }) => Predicate,
): Predicate {
  switch (node.kind) {
    case "constant":
      return node.value ? ACCEPT_ALL : REFUSE_ALL;
    case "atom":
      return predicateOf(node);
    case "not":
      return negate(compileTree(node.operand, predicateOf));
    default: {
      const parts = node.operands.map((operand) => compileTree(operand, predicateOf));
      return node.kind === "and" ? all(parts) : any(parts);
    }
  }
}

function negate(part: Predicate): Predicate {
  if (part === ACCEPT_ALL) return REFUSE_ALL;
  if (part === REFUSE_ALL) return ACCEPT_ALL;
  return (view) => !part(view);
}

function all(parts: readonly Predicate[]): Predicate {
  const both: Join = (one, other) => (view) => one(view) && other(view);
  return joined(fold(parts, ACCEPT_ALL, REFUSE_ALL), both) ?? ACCEPT_ALL;
}

function any(parts: readonly Predicate[]): Predicate {
  const either: Join = (one, other) => (view) => one(view) || other(view);
  return joined(fold(parts, REFUSE_ALL, ACCEPT_ALL), either) ?? REFUSE_ALL;
}

type Join = (one: Predicate, other: Predicate) => Predicate;

/** Joins halves, so that calls nest only a few deep, however many parts there are. */
function joined(parts: readonly Predicate[], join: Join): Predicate | undefined {
  if (parts.length < 2) return parts[0];
  const half = parts.length >> 1;
  const one = joined(parts.slice(0, half), join);
  const other = joined(parts.slice(half), join);
  return one && other && join(one, other);
}

/**
 * Leaves out the neutral constant, and whatever stands behind a deciding one. Nothing before a
 * deciding constant is left out: it may be a user's atom that fails, and then the filter refuses.
 */
function fold(
  parts: readonly Predicate[],
  neutral: Predicate,
  deciding: Predicate,
): readonly Predicate[] {
  const needed = parts.filter((part) => part !== neutral);
  const decided = needed.indexOf(deciding);
  return decided === -1 ? needed : needed.slice(0, decided + 1);
}
