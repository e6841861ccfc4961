/**
 * Bugs of custody, delivery, the end and the moving of pages, each a line of the sources changed, and the tests
 * beside the modules that must find it.
 */
import type { PlantedBug } from "./planted-bugs.ts";

export interface CustodyBug extends PlantedBug {
  /** The file with the test that finds it, below `src/cluster/`. */
  readonly test: string;
}

const CUSTODY = "cluster/custody/custody.ts";
const MOVES = "cluster/custody/host-moves.ts";
const GIVING_UP = "cluster/custody/giving-up.ts";
const COPIES = "cluster/custody/copies.ts";
const ANNOUNCEMENTS = "cluster/custody/announcements.ts";
const COMPACT = "cluster/delivery/compact-retained.ts";

export const CUSTODY_BUGS: readonly CustodyBug[] = [
  {
    name: "one wave is enough for an end (T1, oneWave)",
    file: "cluster/termination/termination.ts",
    from: "    if (first !== null && sameBallot(first, ballot)) this.#finish(ballot);",
    to: "    if (first === null || sameBallot(first, ballot)) this.#finish(ballot);",
    test: "termination/termination.test.ts",
  },
  {
    name: "agents that see others end together with those (T1, no viewHash)",
    file: "cluster/termination/ballot.ts",
    from: "    if (!vote.status.isIdle || vote.status.hash !== hash) return null;",
    to: "    if (!vote.status.isIdle) return null;",
    test: "termination/termination.test.ts",
  },
  {
    name: "a relay forgets what it is told of others' hosts (relayForgets)",
    file: CUSTODY,
    from: "      if (isOfHost(entry)) this.#dispatch(entry, true);",
    to: "      if (isOfHost(entry) && this.isOwn(entry.host)) this.#dispatch(entry, true);",
    test: "custody/custody.test.ts",
  },
  {
    name: "entries that nobody in the ring can take are dropped",
    file: CUSTODY,
    from: "if (place === null) this.#strays.push(entry);",
    to: "if (place === null) return;",
    test: "custody/custody.test.ts",
  },
  {
    name: "a claim does not put its place on probation (noProbation)",
    file: CUSTODY,
    from: "    for (const place of others) named(place);",
    to: "",
    test: "custody/custody.test.ts",
  },
  {
    name: "claims of places that are gone for good count",
    file: CUSTODY,
    from: "others.filter((place) => !this.#view.isGivenUp(place));",
    to: "others.slice();",
    test: "custody/custody.test.ts",
  },
  {
    name: "a leaver does not wait until others have what it had (leaveNoLog)",
    file: CUSTODY,
    from: "      else outboxes.whenAcknowledged(place, () => wait(rest));",
    to: "      else wait(rest);",
    test: "custody/custody.test.ts",
  },
  {
    name: "an owner that gets a copy does not decide which one is shown",
    file: CUSTODY,
    from: "      holdings.take(entry);\n      this.#decideAgain(entry);",
    to: "      holdings.take(entry);",
    test: "custody/custody.test.ts",
  },
  {
    name: "a page that is claimed while it is fetched stays visible twice",
    file: CUSTODY,
    from: "    );\n    this.#decideAgain(entry);\n",
    to: "    );\n",
    test: "custody/custody.test.ts",
  },
  {
    name: "a page of the last life whose host has left is told to nobody",
    file: CUSTODY,
    from: "    if (!this.isOwn(entry.host)) this.#dispatch({ ...entry, holders: [self()] }, true);\n    else {",
    to: "    if (!this.isOwn(entry.host)) self();\n    else {",
    test: "custody/custody.test.ts",
  },
  {
    name: "a page of the last life does not bring its host back",
    file: CUSTODY,
    from: "      holdings.take(entry);\n      this.#decideAgain(entry);",
    to: "      this.#decideAgain(entry);",
    test: "custody/custody.test.ts",
  },
  {
    name: "URLs that wait stay behind when their host goes (handedForgotten)",
    file: MOVES,
    from: "    holdings.giveAway(host, give, (record) => {",
    to: "    holdings.giveAway(host, () => undefined, (record) => {",
    test: "custody/host-moves.test.ts",
  },
  {
    name: "what belongs to a host does not go with it",
    file: MOVES,
    from: '      give({ kind: "host", host, record });',
    to: "      void record;",
    test: "custody/host-moves.test.ts",
  },
  {
    name: "a page that was fetched while its host left is not told of (lateFetchSilent)",
    file: MOVES,
    from: "        if (owner !== null)\n",
    to: "        if (owner === null)\n",
    test: "custody/host-moves.test.ts",
  },
  {
    name: "claims stay behind when their host goes",
    file: MOVES,
    from: "      (entry) => pass(entry, false),",
    to: "      () => pass,",
    test: "custody/host-moves.test.ts",
  },
  {
    name: "entries that waited for a host to leave are dropped",
    file: MOVES,
    from: "    for (const entry of waiting) this.dispatch(entry, true);",
    to: "",
    test: "custody/host-moves.test.ts",
  },
  {
    name: "entries pending for a dead place are not told to the new owner",
    file: MOVES,
    from: "              this.dispatch(entry, true);",
    to: "",
    test: "custody/host-moves.test.ts",
  },
  {
    name: "a host that was leaving is forgotten in a crash",
    file: MOVES,
    from: "      if (to !== null && !this.#moves.has(host)) this.#leave(host, to);\n    }\n  }\n\n  /** The view",
    to: "      void to;\n    }\n  }\n\n  /** The view",
    test: "custody/host-moves.test.ts",
  },
  {
    name: "what a lost place was told is not told anew (noRetain)",
    file: GIVING_UP,
    from: '          if (entry.kind !== "url") continue;',
    to: "          if (entry.kind !== null) continue;",
    test: "custody/giving-up.test.ts",
  },
  {
    name: "claims of a lost place are believed for ever (claimForever)",
    file: GIVING_UP,
    from: "      (entry) => this.#fetchAgain(entry),",
    to: "      () => undefined,",
    test: "custody/giving-up.test.ts",
  },
  {
    name: "hidden copies of a lost place's pages are not told of",
    file: GIVING_UP,
    from: "          (entry) => this.#tell(entry),",
    to: "          () => undefined,",
    test: "custody/giving-up.test.ts",
  },
  {
    name: "an outbox is removed before a checkpoint has what came of it",
    file: GIVING_UP,
    from: "      holdings.whenSaved(() => {",
    to: "      [() => undefined].forEach(() => {",
    test: "custody/giving-up.test.ts",
  },
  {
    name: "the outbox of a place that is back is removed",
    file: GIVING_UP,
    from: "        if (isGivenUp(place)) outboxes.remove(place, end);",
    to: "        if (place !== null) outboxes.remove(place, end);",
    test: "custody/giving-up.test.ts",
  },
  {
    name: "a place that is given up once more keeps its later claims",
    file: GIVING_UP,
    from: "      this.#again.add(key);",
    to: "",
    test: "custody/giving-up.test.ts",
  },
  {
    name: "the last copy in the order of a host is shown",
    file: COPIES,
    from: "      if (samePlace(place, first)) continue;",
    to: "      if (!samePlace(place, first)) continue;",
    test: "custody/copies.test.ts",
  },
  {
    name: "an owner does not count its own copy",
    file: COPIES,
    from: "isHad ? [this.#parts.self(), ...claimed] : claimed",
    to: "claimed",
    test: "custody/copies.test.ts",
  },
  {
    name: "a place that is back does not tell what it holds (noReannounce)",
    file: ANNOUNCEMENTS,
    from: "      (entry) => dispatch({ ...entry, holders: [self()] }, true),",
    to: "      () => dispatch,",
    test: "custody/announcements.test.ts",
  },
  {
    name: "a place that does not answer is asked once",
    file: ANNOUNCEMENTS,
    from: "      } else clock.after(timeoutMs / 2, () => this.#repeat(place, number));",
    to: "      } else clock.after(timeoutMs / 2, () => undefined);",
    test: "custody/announcements.test.ts",
  },
  {
    name: "who is asked while it announces does not begin again",
    file: ANNOUNCEMENTS,
    from: "          if (this.#isToRepeat) {",
    to: "          for (const { respond } of this.#waiting.splice(0)) respond();\n          if (waiting.length < 0) {",
    test: "custody/announcements.test.ts",
  },
  {
    name: "a place that is asked again tells everything again (G5)",
    file: ANNOUNCEMENTS,
    from: "    if (!isSameLife || number > known.number) {",
    to: "    if (!isSameLife || number > 0) {",
    test: "custody/announcements.test.ts",
  },
  {
    name: "a place that is given up is asked on",
    file: ANNOUNCEMENTS,
    from: "    if (this.#asked.delete(placeText(place))) this.#parts.changed();",
    to: "    placeText(place);",
    test: "custody/announcements.test.ts",
  },
  {
    name: "suspicions count as work",
    file: CUSTODY,
    from: "    if (ring === this.#ring) return;",
    to: "    if (ring === this.#ring) this.#changed();",
    test: "custody/custody.test.ts",
  },
  {
    name: "suspicions count as work of limits",
    file: "cluster/limits/cluster-limits.ts",
    from: "    if (presence === this.#presence) this.#update();",
    to: "    if (presence === this.#presence) this.#changed();",
    test: "limits/cluster-limits.test.ts",
  },
  {
    name: "what an agent said before it was given its slot again counts (A1)",
    file: "cluster/slots/granter.ts",
    from: 'if (replied.kind === "reply" && isCurrent)',
    to: 'if (replied.kind === "reply")',
    test: "slots/address-slots-late.test.ts",
  },
  {
    name: "compaction keeps the longer way",
    file: COMPACT,
    from: "other.depth < one.depth",
    to: "other.depth > one.depth",
    test: "delivery/compact-retained.test.ts",
  },
  {
    name: "compaction drops holders",
    file: COMPACT,
    from: "[...one.holders, ...other.holders]",
    to: "[...one.holders]",
    test: "delivery/compact-retained.test.ts",
  },
];
