/**
 * The package itself, as its manifest describes it: the version that requests, archives and messages
 * name. It is read when somebody asks, once for each process, and works from the sources as from the
 * compiled files. Read `version.ts` first.
 */
export { version } from "./version.ts";
