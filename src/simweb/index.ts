/** To be written. */
export { GeneratedWeb } from "./generated-web.ts";
export type { Profile } from "./profile.ts";
export { changedProfile, PROFILES } from "./profiles.ts";
