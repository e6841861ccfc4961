/**
 * `trobar inspect filter EXPR URL…`: how a filter or a glob is understood, and what it says to each
 * URL. Nothing is fetched, so only atoms on URLs can be tried. URLs are read from standard input
 * for `-`, one line at a time, and answered as they come.
 */
import {
  type Filter,
  FilterError,
  type FilterPlace,
  type ImportModule,
  loadFilter,
  type UrlView,
  understand,
} from "../filter/index.ts";

export interface InspectFilterArguments {
  /** A filter expression or a glob, as `--include` takes it. */
  readonly expression: string;
  readonly urls: readonly string[];
  readonly json: boolean;
}

/** The world of the command. */
export interface InspectFilterIo {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** To standard output. */
  readonly write: (text: string) => void | Promise<void>;
  /** To standard error. */
  readonly writeError: (text: string) => void;
  /** Undefined when the text is not an absolute URL. */
  readonly viewOf: (text: string) => UrlView | undefined;
  readonly importModule: ImportModule;
}

const PLACE: FilterPlace<"url"> = { name: "the filter given to `inspect filter`", sees: "url" };

/** Returns the exit code: 0, or 2 when the filter is wrong. */
export async function inspectFilter(
  args: InspectFilterArguments,
  io: InspectFilterIo,
): Promise<number> {
  const understood = understand(args.expression);
  let failure = "";
  let filter: Filter<UrlView>;
  try {
    filter = await loadFilter(understood.expression, PLACE, {
      importModule: io.importModule,
      onFailure: (error) => {
        failure = error.message;
      },
    });
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    io.writeError(`${error.message}\n`);
    return 2;
  }
  if (!args.json) await io.write(`${understood.as}: ${filter.text}\n`);
  for await (const url of inputs(args.urls, io.stdin)) {
    failure = "";
    const view = io.viewOf(url);
    const accepts = view !== undefined && filter.accepts(view);
    const error = view === undefined ? "not an absolute URL" : failure;
    await io.write(args.json ? jsonRow(url, accepts, error) : humanRow(url, accepts, error));
  }
  return 0;
}

function jsonRow(url: string, accepts: boolean, error: string): string {
  return `${JSON.stringify(error === "" ? { url, accepts } : { url, accepts, error })}\n`;
}

function humanRow(url: string, accepts: boolean, error: string): string {
  const verdict = accepts ? "accepts" : "refuses";
  return `${verdict}  ${url}${error === "" ? "" : `  (${error})`}\n`;
}

async function* inputs(
  urls: readonly string[],
  stdin: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string> {
  for (const url of urls) {
    if (url === "-") yield* lines(stdin);
    else yield url;
  }
}

/** A line that goes on longer is no URL; what is beyond is dropped, so memory does not grow. */
const LINE_LENGTH_MAX = 65_536;

/** Lines without their ends, and without the empty ones. */
async function* lines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const parts = rest.split("\n");
    rest = parts.pop()?.slice(0, LINE_LENGTH_MAX) ?? "";
    for (const part of parts) if (part.trim() !== "") yield part.trim();
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield rest.trim();
}
