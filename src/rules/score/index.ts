/**
 * Scores: what orders a crawl by priority. A `Score` gives each link a number; the frontier visits
 * larger ones first, as exactly as its queues allow, and moves a URL up that is offered again with
 * a larger one.
 *
 * How it works. `score.ts` is the contract, for users' modules too. Three scores are ours:
 * `BackLinks` counts the pages that link to a URL, `Cash` lets each page share its importance among
 * its links, `TopicWords` looks for the words of a topic in the text and the URL of a link. The
 * first two must remember URLs: `NumberTable` does, in a fixed piece of memory, and forgets what
 * scores least. `openScore` makes the one that `frontier.score` names; a user's module is wrapped
 * in `UserScore`, so that it cannot harm the crawl.
 *
 * Nothing here touches the world: loading a module is passed in. Read `score.ts` first.
 */
export { openScore } from "./open-score.ts";
export type { Score, ScoredLink, ScoredPage } from "./score.ts";
