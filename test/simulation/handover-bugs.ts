/**
 * Bugs in hosts that go to another agent and come back, each a line of the sources changed, and the tests
 * beside the modules that must find it.
 */
import type { TestedBug } from "./planted-bugs.ts";

const HANDOVERS = "frontier/front/hosts/host-handovers.ts";
const LEDGER = "frontier/front/hosts/host-ledger.ts";
const STATES = "frontier/front/hosts/state/visit-states.ts";
const GONE = "frontier/front/hosts/gone-urls.ts";
const HANDOVERS_TEST = "frontier/front/frontier-handovers.test.ts";

export const HANDOVER_BUGS: readonly TestedBug[] = [
  {
    name: "URLs of a host that comes back were seen before (U4, sieveDrops)",
    file: LEDGER,
    from: "const epoch = this.epochOf(number) + 1;",
    to: "const epoch = this.epochOf(number);",
    test: HANDOVERS_TEST,
  },
  {
    name: "the epochs of hosts are lost in a restart (U4, sieveDrops)",
    file: LEDGER,
    from: "const SAVED_BITS = ~DORMANT;",
    to: "const SAVED_BITS = END_BITS | AWAY;",
    test: "frontier/front/hosts/host-ledger.test.ts",
  },
  {
    name: "a host that was never met cannot have gone (U4)",
    file: HANDOVERS,
    from: "      if (number === null) ledger.giveAway(ledger.numberOf(host));\n",
    to: "",
    test: HANDOVERS_TEST,
  },
  {
    name: "URLs that come out of the sieve for a host that has gone are queued (U4)",
    file: GONE,
    from: "const isGone = isEarlier || ledger.isAway(number);",
    to: "const isGone = isEarlier;",
    test: HANDOVERS_TEST,
  },
  {
    name: "URLs of an earlier epoch are fetched beside those of the present one (U4)",
    file: GONE,
    from: "const isGone = isEarlier || ledger.isAway(number);",
    to: "const isGone = (isEarlier && epoch < 0) || ledger.isAway(number);",
    test: HANDOVERS_TEST,
  },
  {
    name: "a host is given away while it is visited (U2)",
    file: HANDOVERS,
    from: "leaving.isDraining || (state !== null && !isAtRest(state))) return;",
    to: "leaving.isDraining || (state !== null && state.number < 0)) return;",
    test: HANDOVERS_TEST,
  },
  {
    name: "a host that leaves is still visited (U2)",
    file: HANDOVERS,
    from: "return number !== null && this.#leaving.has(number);",
    to: "return number !== null && this.#leaving.has(-1);",
    test: HANDOVERS_TEST,
  },
  {
    name: "that a page is elsewhere is remembered when its host has gone (U4)",
    file: HANDOVERS,
    from: "    ended.forgetHost(number);\n",
    to: "",
    test: HANDOVERS_TEST,
  },
  {
    name: "a shorter way to a URL that waits stays behind when its host goes (U6)",
    file: HANDOVERS,
    from: "      if (better !== null) each(better);\n",
    to: "",
    test: HANDOVERS_TEST,
  },
  {
    name: "a shorter way is forgotten that comes to light while its host is about to go (U6)",
    file: "frontier/front/hosts/gone-urls.ts",
    from: "    if (!isPassedOn && isOurs?.(host) === false) passOn(better);\n",
    to: "    if (isPassedOn && isOurs?.(host) === false) passOn(better);\n",
    test: "frontier/front/hosts/gone-urls.test.ts",
  },
  {
    name: "a URL that waits again goes out with the depth that it had before (U6)",
    file: "frontier/front/hosts/requeueing.ts",
    from: "    depths?.revive(offered);\n",
    to: "    void depths?.revive;\n",
    test: "frontier/front/frontier-requeue.test.ts",
  },
  {
    name: "a host is visited as soon as it is no longer withheld (B4)",
    file: HANDOVERS,
    from: "    states.restSince(clock.nowMs());\n",
    to: "",
    test: HANDOVERS_TEST,
  },
  {
    name: "hosts that come while others are withheld do not rest (B4)",
    file: STATES,
    from: "    this.#unknownUntilMs = atMs;\n    for",
    to: "    for",
    test: HANDOVERS_TEST,
  },
  {
    name: "only hosts to come rest when they are no longer withheld (B4)",
    file: STATES,
    from: '    for (const state of this.all()) if (state.phase === "blocked") state.restSince(atMs);\n',
    to: "",
    test: HANDOVERS_TEST,
  },
  {
    name: "how long a host must be left alone does not go with it (B4)",
    file: HANDOVERS,
    from: "Math.max(0, states.restsUntilMsOf(number) - clock.nowMs());",
    to: "Math.max(0, Math.min(0, states.restsUntilMsOf(number)) - clock.nowMs());",
    test: HANDOVERS_TEST,
  },
  {
    name: "the rest of a host without a visit state stays behind (B4)",
    file: STATES,
    from: "this.find(number)?.restsUntilMs ?? this.#rests.get(number) ?? Number",
    to: "this.find(number)?.restsUntilMs ?? Number",
    test: HANDOVERS_TEST,
  },
  {
    name: "how long a server has asked to be left alone stays behind (B4)",
    file: "frontier/front/hosts/state/host-waits.ts",
    from: "const untilMs = nowMs + Math.max(this.#pace.delayMs, askedMs);\n    this.#restsUntilMs",
    to: "const untilMs = nowMs + Math.max(this.#pace.delayMs, 0 * askedMs);\n    this.#restsUntilMs",
    test: HANDOVERS_TEST,
  },
  {
    name: "the rest that came with a host does not count (B4)",
    file: HANDOVERS,
    from: "    states.restUntil(number, clock.nowMs() + handed.restMs);\n",
    to: "",
    test: HANDOVERS_TEST,
  },
  {
    name: "the Crawl-delay of a host stays behind (B4)",
    file: HANDOVERS,
    from: "const crawlDelayMs = ledger.crawlDelayMsOf(number);",
    to: "const crawlDelayMs = 0 * ledger.crawlDelayMsOf(number);",
    test: HANDOVERS_TEST,
  },
  {
    name: "the Crawl-delay that came with a host does not count (B4)",
    file: HANDOVERS,
    from: "Math.max(handed.crawlDelayMs, ledger.crawlDelayMsOf(number))",
    to: "ledger.crawlDelayMsOf(number)",
    test: HANDOVERS_TEST,
  },
  {
    name: "a Crawl-delay that is known here is forgotten for a shorter one (B4)",
    file: HANDOVERS,
    from: "Math.max(handed.crawlDelayMs, ledger.crawlDelayMsOf(number))",
    to: "handed.crawlDelayMs",
    test: HANDOVERS_TEST,
  },
  {
    name: "a host that comes twice rests for the last time that was told (B4)",
    file: STATES,
    from: "Math.max(untilMs, this.#rests.get(number) ?? untilMs)",
    to: "untilMs",
    test: HANDOVERS_TEST,
  },
  {
    name: "the pages of a host are counted anew where it comes to",
    file: HANDOVERS,
    from: "Math.max(handed.pages, ledger.pagesOf(number))",
    to: "ledger.pagesOf(number)",
    test: HANDOVERS_TEST,
  },
  {
    name: "the pages that a host had here are forgotten when it comes back",
    file: HANDOVERS,
    from: "Math.max(handed.pages, ledger.pagesOf(number))",
    to: "handed.pages",
    test: HANDOVERS_TEST,
  },
  {
    name: "a page that is not elsewhere after all is fetched beside its waiting URL (G1)",
    file: HANDOVERS,
    from: "    if (ended.has(ticket)) ended.forget(ticket.high, ticket.low, number);\n    else if (requeue(ticket))",
    to: "    ended.forget(ticket.high, ticket.low, number);\n    if (requeue(ticket))",
    test: HANDOVERS_TEST,
  },
  {
    name: "who joins learns of one that starts again only when that one asks (B1)",
    file: "cluster/membership/barrier/join-barrier.ts",
    from: "const isReturning = !isActive && reply.isEstablished && !isFenced;",
    to: "const isReturning = isActive && reply.isEstablished && !isFenced;",
    test: "cluster/membership/barrier/join-barrier.test.ts",
  },
];
