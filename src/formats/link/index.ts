/**
 * What a link is, apart from its URL: its kind (where it stood) and the words of its `rel`. Modules
 * that find links, choose among them or judge them all take both from here.
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
