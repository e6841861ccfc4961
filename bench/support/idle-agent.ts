/** An agent of a cluster that has no URLs and no pages: what is left is the node. */
import type { NodeAgent } from "../../src/cluster/node/index.ts";

const nothing = (): void => undefined;

export function idleAgent(
  later: (run: () => void) => void,
  failed: (code: string) => void,
): NodeAgent {
  return {
    open: (_configuration, opened) =>
      later(() =>
        opened(
          {
            ...{ take: nothing, again: nothing, adopt: nothing, hide: nothing, nearer: nothing },
            ...{ withhold: nothing, admit: nothing, whenSaved: nothing },
            lost: (_isOwn, _each, done) => later(done),
            giveAway: (_host, _each, done) => later(() => done(new Uint8Array())),
            end: (_entry, done) => later(() => done(false)),
            find: (_page, done) => later(() => done(false)),
            pagesOf: (_isWanted, _each, done) => later(() => done(null)),
            show: (_toward, _each, done) => later(() => done(null)),
          },
          {
            next: (_isWanted, _after, done) => done(null, null),
            read: nothing,
            has: (_entry, done) => done(false),
            write: () => ({ append: nothing, commit: (done) => done(null), drop: nothing }),
          },
        ),
      ),
    replay: (done) => later(() => done(null)),
    work: { isIdle: true, isWaiting: false, isFull: false, changes: 0 },
    spent: () => ({ used: { pages: 0, bytes: 0 }, elapsedMs: 0 }),
    local: { whereIs: nothing, readPage: nothing, items: nothing },
    ...{ seedsHeld: nothing, seedsFound: nothing, woken: nothing, viewChanged: nothing },
    ...{ configured: nothing, finished: nothing, concluded: nothing, resumed: nothing },
    cameTooLate: nothing,
    trouble: ({ code }) => {
      if (code !== "CLUSTER_WAITING") failed(code);
    },
    failed: ({ code }) => failed(code),
  };
}
