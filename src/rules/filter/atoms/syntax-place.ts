/**
 * Where the mistake in a module is that cannot be parsed. Node knows, but tells it in the stack only of
 * some errors. For the others it is asked again, as `node --check` by another process: that happens
 * once, before the user mends the file.
 */
import { execFile } from "node:child_process";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const CHECKING_MS = 10_000;

/** The same error, whose message begins with the line; and with the file, if it is not that at `path`. */
export async function withPlace(error: SyntaxError, path: string): Promise<Error> {
  const place = placeIn(String(error.stack)) ?? placeIn(await checked(path));
  if (place === null) return error;
  const where = place.path === path ? "" : `${basename(place.path)}, `;
  return new Error(`${where}line ${place.line}: ${error.message}`, { cause: error });
}

/** The first line of what Node writes: a path or URL, and the number of a line. */
function placeIn(text: string): { readonly path: string; readonly line: number } | null {
  const found = /^(.+):(\d+)\n/.exec(text);
  const named = found?.[1];
  if (named === undefined) return null;
  const path = named.startsWith("file:") ? fileURLToPath(named) : named;
  return { path, line: Number(found?.[2]) };
}

/** Nothing if the module can be parsed: the mistake is then in one that it imports. */
function checked(path: string): Promise<string> {
  return new Promise((done) => {
    const args = ["--check", path];
    execFile(process.execPath, args, { timeout: CHECKING_MS }, (_error, _out, err) => done(err));
  });
}
