/**
 * What a link is, apart from its URL: its kind (where it was found) and the words of its `rel`, for
 * all modules that find links, select them or decide about them.
 *
 * Read `link-kind.ts`.
 */
export {
  FOLLOWABLE_KINDS,
  type FollowableKind,
  LINK_KINDS,
  type LinkKind,
  PAGE_KINDS,
  REQUISITE_KINDS,
} from "./link-kind.ts";
export { hasRel, isConnectionHint } from "./rel.ts";
