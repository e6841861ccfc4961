/** The version of the package, from its manifest: three folders up, in `src/` as in `dist/`. */
import { createRequire } from "node:module";

export function version(): string {
  const manifest: { readonly version: string } = createRequire(import.meta.url)(
    "../../../package.json",
  );
  return manifest.version;
}
