/**
 * Lets examples import `trobar` and its doors from the sources, which need not be built. Their crawls may
 * reach loopback and do not wait between fetches; nothing else about them is changed.
 */
import { registerHooks } from "node:module";

const LOOPBACK = import.meta.resolve("./loopback-library.ts");

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "trobar" ? { url: LOOPBACK, shortCircuit: true } : next(specifier, context),
});
