/**
 * From a tree to one predicate: closures that call one another, with the short circuit of the
 * language. Constants are folded away. Groups of two, three and four have closures of their own:
 * a loop over an array costs twice as much as the calls that it makes.
 */

import type { Predicate } from "../view.ts";
import type { FilterNode } from "./expression.ts";

/** Undecided parts of a group, or what the group comes to whatever is shown to it. */
type Folded = readonly Predicate[] | boolean;

export const ACCEPT_ALL: Predicate = () => true;
const REFUSE_ALL: Predicate = () => false;

/** `predicateOf` gives the predicate of an atom; the same one when asked again is not needed. */
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
  const folded = fold(parts, ACCEPT_ALL, REFUSE_ALL);
  if (typeof folded === "boolean") return folded ? ACCEPT_ALL : REFUSE_ALL;
  const [a = ACCEPT_ALL, b = ACCEPT_ALL, c = ACCEPT_ALL, d = ACCEPT_ALL] = folded;
  switch (folded.length) {
    case 1:
      return a;
    case 2:
      return (view) => a(view) && b(view);
    case 3:
      return (view) => a(view) && b(view) && c(view);
    case 4:
      return (view) => a(view) && b(view) && c(view) && d(view);
    default:
      return (view) => folded.every((part) => part(view));
  }
}

function any(parts: readonly Predicate[]): Predicate {
  const folded = fold(parts, REFUSE_ALL, ACCEPT_ALL);
  if (typeof folded === "boolean") return folded ? REFUSE_ALL : ACCEPT_ALL;
  const [a = REFUSE_ALL, b = REFUSE_ALL, c = REFUSE_ALL, d = REFUSE_ALL] = folded;
  switch (folded.length) {
    case 1:
      return a;
    case 2:
      return (view) => a(view) || b(view);
    case 3:
      return (view) => a(view) || b(view) || c(view);
    case 4:
      return (view) => a(view) || b(view) || c(view) || d(view);
    default:
      return (view) => folded.some((part) => part(view));
  }
}

/**
 * Leaves out the neutral constant, and whatever stands behind a deciding one. True means that only
 * neutral ones were there, false that a deciding one comes first. Nothing before a deciding
 * constant is left out: it may be a user's atom that fails, and then the filter refuses.
 */
function fold(parts: readonly Predicate[], neutral: Predicate, deciding: Predicate): Folded {
  const needed = parts.filter((part) => part !== neutral);
  const decided = needed.indexOf(deciding);
  const kept = decided === -1 ? needed : needed.slice(0, decided + 1);
  if (kept.length === 0) return true;
  return kept[0] === deciding ? false : kept;
}
