/** Awaits an effect: for the few that happen before a crawl begins. */
export { answered } from "../../base/seams/index.ts";
