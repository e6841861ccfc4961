/** A crawl, however many lanes it has. */
import type { LanedCrawl } from "../lanes/laned-crawl.ts";
import type { Crawl } from "./crawl.ts";

export type RunningCrawl = Crawl | LanedCrawl;
