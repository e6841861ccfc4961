/**
 * A score of one's own: no change to Trobar is needed. This one visits URLs with short paths first,
 * and those with a query last. Try it:
 *
 *   npx trobar crawl https://example.org/ -n 100 \
 *     --set frontier.traversal=priority --set frontier.score=./examples/03-score.js
 */

/** Called once, before anything is fetched. `topic` is frontier.topic; throwing refuses the crawl. */
export function createScore({ topic }) {
  const bonus = topic.length > 0 ? 2 : 1;
  return {
    /**
     * Called for every link that may be followed: synchronous, quick, and keeping little. The larger
     * number comes first: 64 and more is the best band, each half of it the next, below 1 the last.
     */
    priorityOf(link) {
      if (link.query !== "") return 0;
      const segments = link.path.split("/").filter((segment) => segment !== "").length;
      const isOnTopic = topic.some((word) => link.anchor.includes(word));
      return (isOnTopic ? bonus : 1) * 2 ** (5 - segments);
    },
  };
}
