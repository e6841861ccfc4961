/**
 * Bugs in who has which page and how near it is, each a line of the sources changed, and the tests beside the
 * modules that must find it.
 */
import type { TestedBug } from "./planted-bugs.ts";

const CLAIMS = "cluster/custody/claims.ts";
const CUSTODY = "cluster/custody/custody.ts";
const COPIES = "cluster/custody/copies.ts";
const CLAIMS_TEST = "cluster/custody/claims.test.ts";
const CUSTODY_TEST = "cluster/custody/custody.test.ts";

export const CLAIM_BUGS: readonly TestedBug[] = [
  {
    name: "the claims of a host are told to its new owner and kept (U2)",
    file: CLAIMS,
    from: "      this.#set(entry, [], depth);\n      each",
    to: "      each",
    test: CLAIMS_TEST,
  },
  {
    name: "a page that another place has too is fetched again (G1)",
    file: CLAIMS,
    from: "if (left.length === 0) each({",
    to: "if (left.length >= 0) each({",
    test: "cluster/custody/copies.test.ts",
  },
  {
    name: "a claim counts in the table before it is in the log of its holder (D1)",
    file: CLAIMS,
    from: "      for (const place of fresh) this.#logs.keep(place, entry);\n",
    to: "",
    test: CLAIMS_TEST,
  },
  {
    name: "holders are not told of a shorter way (U6)",
    file: CLAIMS,
    from: "done(isNearer ? holders : []);",
    to: "done(isNearer ? [] : []);",
    test: CLAIMS_TEST,
  },
  {
    name: "holders are told of the same way again and again (U6)",
    file: CLAIMS,
    from: "if (isNearer) this.#set(page, holders, depth);",
    to: "",
    test: CLAIMS_TEST,
  },
  {
    name: "the smallest depth does not go with a claim (U6)",
    file: CLAIMS,
    from: "return this.keepsDepths ? { ...entry, depth } : entry;",
    to: "return depth < 0 ? { ...entry, depth } : entry;",
    test: CLAIMS_TEST,
  },
  {
    name: "who claims a page from farther away is not told (U6)",
    file: CLAIMS,
    from: "keepsDepths && (isIn(holders, place) ? entry.depth : known) > depth;",
    to: "keepsDepths && !isIn(holders, place) && known > depth;",
    test: CLAIMS_TEST,
  },
  {
    name: "who is told of a shorter way does nothing about it (U6)",
    file: CUSTODY,
    from: "else this.#nearer(entry, entry.depth);",
    to: "else void entry.depth;",
    test: CUSTODY_TEST,
  },
  {
    name: "an owner that has the page too does not hear of a shorter way (U6)",
    file: CUSTODY,
    from: "      if (claims.keepsDepths) holdings.nearer(kept, depth);\n",
    to: "",
    test: CUSTODY_TEST,
  },
  {
    name: "holders that others claim from a shorter way are not told (U6)",
    file: CUSTODY,
    from: "      this.#tellNearer(farther, kept, depth);\n      // If",
    to: "      // If",
    test: CUSTODY_TEST,
  },
  {
    name: "a shorter way that the owner meets is told to nobody (U6)",
    file: CUSTODY,
    from: "      this.#tellNearer(farther, page, depth);\n      this.#parts",
    to: "      void farther;\n      this.#parts",
    test: CUSTODY_TEST,
  },
  {
    name: "a shorter way that nobody claims any more is forgotten (U6)",
    file: CUSTODY,
    from: "      this.#parts.holdings.nearer(page, depth);\n",
    to: "",
    test: CUSTODY_TEST,
  },
  {
    name: "whoever came to have a page while it was fetched does not hear of that way (U6)",
    file: CUSTODY,
    from: "      this.#tellNearer(farther, entry, entry.depth),\n",
    to: "      void farther,\n",
    test: CUSTODY_TEST,
  },
  {
    name: "a shorter way is compared with the claims and not told to the owner of the host (U6)",
    file: "cluster/node/cluster-node.ts",
    from: 'keep([entry, { kind: "nearer", high, low, depth }]);',
    to: 'keep([{ kind: "nearer", high, low, depth }]);',
    test: "cluster/node/cluster-node.test.ts",
  },
  {
    name: "a shorter way is told to the owner of the host and not compared with the claims (U6)",
    file: "cluster/node/cluster-node.ts",
    from: 'keep([entry, { kind: "nearer", high, low, depth }]);',
    to: "keep([{ ...entry, depth: depth + high - high + low - low }]);",
    test: "cluster/node/cluster-node.test.ts",
  },
  {
    name: "places that logs name are not missed after a restart (G2)",
    file: CUSTODY,
    from: "      else named(place);\n",
    to: "      else void named;\n",
    test: CUSTODY_TEST,
  },
  {
    name: "a place that was given up while this agent was down keeps what it was told (G1, G2)",
    file: CUSTODY,
    from: "if (this.#view.isGivenUp(place)) this.gaveUp(place);\n      else",
    to: "if (this.#view.isGivenUp(place)) void place;\n      else",
    test: CUSTODY_TEST,
  },
  {
    name: "a disk with a new name does not tell what it holds (G5)",
    file: CUSTODY,
    from: "if (this.#generation !== 0 && this.#generation !== generation) this.#announcements.announce();",
    to: "if (this.#generation < 0) this.#announcements.announce();",
    test: "cluster/custody/announcements.test.ts",
  },
  {
    name: "copies are hidden behind a place that is gone for good (C1, G3)",
    file: COPIES,
    from: "if (!view().isGivenUp(toward)) holdings.hide(page, toward);",
    to: "if (view() !== null) holdings.hide(page, toward);",
    test: CUSTODY_TEST,
  },
  {
    name: "the place of a visible copy need not be heard (C1, G3)",
    file: COPIES,
    from: "    named(toward);\n",
    to: "    void named;\n",
    test: CUSTODY_TEST,
  },
  {
    name: "who has no place in the order is told to hide its copy (C1)",
    file: COPIES,
    from: "    const placed = holders.filter(isPlaced);",
    to: "    const placed = holders.filter((one) => isPlaced(one) || one);",
    test: "cluster/custody/copies.test.ts",
  },
  {
    name: "copies that were hidden for the sake of a lost place stay hidden (G1, C1)",
    file: "cluster/custody/giving-up.ts",
    from: "    if (isOwn(entry.host)) shown(entry);\n",
    to: "    if (isOwn(entry.host)) void shown;\n",
    test: "cluster/custody/giving-up.test.ts",
  },
];
