/** Lets examples and other modules import `trobar/units` from the sources, which need not be built. */
import { registerHooks } from "node:module";

const UNITS = import.meta.resolve("../../src/units.ts");

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "trobar/units" ? { url: UNITS, shortCircuit: true } : next(specifier, context),
});
