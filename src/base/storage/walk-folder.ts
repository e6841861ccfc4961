/**
 * The regular files below a folder. A symbolic link is followed to a file, since somebody may have moved a
 * large one to another disk, and it is opened like any other; but not to a folder: what is in there
 * is not ours, and it may lead round in a circle. (The recursive `readdir` of Node follows it.)
 */
import { join } from "node:path";
import type { DiskCalls } from "./disk-calls.ts";

/** As `readdir` tells of it. */
interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

type WalkCalls = Pick<DiskCalls, "readdir" | "stat">;
type Walked = (error: NodeJS.ErrnoException | null, paths: string[]) => void;

/** `top` may itself be a link. Fails as the system does, also if a folder has gone meanwhile. */
export function walkFolder(calls: WalkCalls, top: string, done: Walked): void {
  const paths: string[] = [];
  const folders = [top];
  const links: string[] = [];
  const take = (folder: string, entry: Entry): void => {
    const path = join(folder, entry.name);
    if (entry.isFile()) paths.push(path);
    else if (entry.isDirectory()) folders.push(path);
    else if (entry.isSymbolicLink()) links.push(path);
  };
  const next = (): void => {
    const folder = folders.pop();
    if (folder === undefined) {
      follow(calls, links, paths, done);
      return;
    }
    calls.readdir(folder, { withFileTypes: true }, (error, entries) => {
      if (error !== null) {
        done(error, []);
        return;
      }
      for (const entry of entries) take(folder, entry);
      next();
    });
  };
  next();
}

/** Adds those of the links that lead to regular files. */
function follow(calls: WalkCalls, links: string[], paths: string[], done: Walked): void {
  const path = links.pop();
  if (path === undefined) {
    done(null, paths);
    return;
  }
  calls.stat(path, (error, stats) => {
    // Whoever opens one that cannot be looked at is told why.
    if (error === null && stats.isFile()) paths.push(path);
    follow(calls, links, paths, done);
  });
}
