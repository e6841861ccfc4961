/**
 * The protocol module for `file:`: a file below one of the roots is an answer with status 200, a
 * folder is a page of links. After all symbolic links are followed, what is opened must be below the
 * root, and must be a file or a folder: pipes, sockets and devices are refused before they are
 * opened. Anything else ends as a failure with its own code.
 */
import type {
  Clock,
  Fetcher,
  FetchInFlight,
  FetchOutcome,
  FetchRequest,
} from "../../base/seams/index.ts";
import type { BodySpool } from "../body/index.ts";
import { FILE_CALLS, type FileCalls } from "./file-calls.ts";
import { FileFetch } from "./file-fetch.ts";
import type { FileUrl } from "./file-url.ts";

export interface FileFetcherOptions {
  readonly clock: Clock;
  readonly spool: BodySpool;
  /** As `fileRoots` finds them. */
  readonly roots: readonly FileUrl[];
  readonly calls?: FileCalls;
}

export class FileFetcher implements Fetcher {
  readonly #options: Required<FileFetcherOptions>;

  constructor(options: FileFetcherOptions) {
    this.#options = { calls: FILE_CALLS, ...options };
  }

  /** The address and the headers of the request are ignored. */
  fetch(request: FetchRequest, fetched: (outcome: FetchOutcome) => void): FetchInFlight {
    const fetch = new FileFetch(this.#options, request, fetched);
    fetch.start();
    return fetch;
  }
}
