/** All built-in atoms by name. `docs/filters.md` lists exactly these; a test compares the two. */
import type { BuiltInAtom } from "./atom.ts";
import { HOST_ATOMS } from "./host-atoms.ts";
import { LINK_ATOMS } from "./link-atoms.ts";
import { PAGE_ATOMS, RESPONSE_ATOMS } from "./response-atoms.ts";
import { URL_ATOMS } from "./url-atoms.ts";

export const BUILT_IN_ATOMS: ReadonlyMap<string, BuiltInAtom> = new Map(
  Object.entries({ ...URL_ATOMS, ...HOST_ATOMS, ...LINK_ATOMS, ...RESPONSE_ATOMS, ...PAGE_ATOMS }),
);

export function takesWhole(name: string): boolean {
  return BUILT_IN_ATOMS.get(name)?.takesWhole ?? false;
}
