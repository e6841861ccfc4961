/**
 * Which pages a copy of a site holds, and in which file each is. Scripts are not copied, and what
 * a browser might run from a disk gets an ending under which it does not.
 */
import { relative } from "node:path/posix";
import { safePath } from "../output/safe-path.ts";
import type { PageRow } from "../page-row.ts";
import type { ExportJob } from "./export-job.ts";

const ENDINGS: Readonly<Record<string, string>> = {
  ...{ "text/html": ".html", "application/xhtml+xml": ".html", "text/css": ".css" },
  ...{ "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp" },
  ...{ "image/avif": ".avif", "image/svg+xml": ".svg", "image/x-icon": ".ico" },
  ...{ "image/vnd.microsoft.icon": ".ico", "font/woff": ".woff", "font/woff2": ".woff2" },
  ...{ "font/ttf": ".ttf", "font/otf": ".otf", "video/mp4": ".mp4", "video/webm": ".webm" },
  ...{ "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "application/pdf": ".pdf" },
  ...{ "application/json": ".json", "application/zip": ".zip" },
};
const SCRIPT = /javascript|ecmascript|wasm/;
const REDIRECTS_MAX = 5;
const KNOWN_MAX = 20_000;

/** Null for what is not copied. */
export function fileOf({ url, mime, status, warc }: PageRow): string | null {
  if (warc === null || status < 200 || status > 299 || !URL.canParse(url)) return null;
  const media = mime ?? "";
  if (SCRIPT.test(media)) return null;
  const ending = ENDINGS[media] ?? (/^text\/|xml$/.test(media) ? ".txt" : ".bin");
  return safePath(url, ending);
}

export class SiteNames {
  readonly #job: ExportJob;
  /** Links of a site repeat themselves. */
  readonly #known = new Map<string, string | null>();

  constructor(job: ExportJob) {
    this.#job = job;
  }

  /** The file that a URL leads to, through redirects; null when it is not copied. */
  async find(url: string): Promise<string | null> {
    const known = this.#known.get(url);
    if (known !== undefined) return known;
    const file = await this.#look(url);
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(url, file);
    return file;
  }

  async #look(url: string): Promise<string | null> {
    const { source, accepts } = this.#job;
    let at = url;
    for (let steps = 0; steps <= REDIRECTS_MAX; steps += 1) {
      const page = await source.find(at);
      if (page === null || (accepts !== null && !accepts(page))) return null;
      if (page.redirectTo === null) return fileOf(page);
      at = page.redirectTo;
    }
    return null;
  }
}

/** How a file names another. */
export function pathFrom(file: string, to: string): string {
  return relative(file.slice(0, file.lastIndexOf("/")), to);
}
