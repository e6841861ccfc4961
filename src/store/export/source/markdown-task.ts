/** The main content of one page, made on another thread: it would hold up a lane for too long. */
import type { Task } from "../../../base/seams/index.ts";
import {
  type HtmlSource,
  type MainContent,
  openMainContent,
  type ReadMainContent,
} from "./main-content.ts";

let opening: Promise<ReadMainContent> | null = null;

/** A package that cannot be loaded ends the thread, and with it this task. */
export const makeMarkdown: Task<HtmlSource, MainContent> = {
  module: import.meta.url,
  name: "makeMarkdown",
  run(source, _world, done) {
    opening ??= openMainContent();
    void opening.then((read) => done(null, read(source)));
  },
};
