/**
 * Lets examples and other modules import `trobar/units` from this checkout, without its being installed: from
 * the program as `npm test` has built it, which starts in half the time, or else from the sources.
 */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const program = process.env["BUILT_PROGRAM_FOR_TEST"];
const UNITS =
  program === undefined
    ? import.meta.resolve("../../src/units.ts")
    : new URL("dist/units.js", pathToFileURL(program)).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "trobar/units" ? { url: UNITS, shortCircuit: true } : next(specifier, context),
});
