/** All links of a page that are URLs, as the link graph keeps them. */
import type { FollowedLink, LinkFollower, PageOfLinks } from "../../parse/page/index.ts";
import type { LinkLines } from "../../store/links/index.ts";

/** Adds them, inside this call. */
export function addLinks(follower: LinkFollower, page: PageOfLinks, lines: LinkLines): void {
  follower.follow(page, {
    take: (link: FollowedLink) => lines.add(link),
    refused: () => undefined,
  });
}
