/**
 * Your own score, without any change to Trobar. This one visits URLs with short paths first, and
 * those with a query last. Try it:
 *
 *   npx trobar crawl https://example.org/ -n 100 \
 *     --set frontier.traversal=priority --set frontier.score=./examples/03-score.js
 */

/** Called once, before anything is fetched. `topic` is frontier.topic; throw to refuse the crawl. */
export function createScore({ topic }) {
  const bonus = topic.length > 0 ? 2 : 1;
  return {
    /**
     * Called for every link that may be followed: must be synchronous and fast, and keep little. The
     * larger number comes first: 64 and more is the best band, 32 the next, and so on; below 1 is last.
     */
    priorityOf(link) {
      if (link.query !== "") return 0;
      const segments = link.path.split("/").filter((segment) => segment !== "").length;
      const isOnTopic = topic.some((word) => link.anchor.includes(word));
      return (isOnTopic ? bonus : 1) * 2 ** (5 - segments);
    },
  };
}
