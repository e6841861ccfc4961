/** Refusals of the API: the status of each error, and the body that tells it. */
import {
  CrawlError,
  ERRORS,
  type ErrorCode,
  faultOf,
  isCrawlError,
} from "../../base/errors/index.ts";

/** Errors that have a status of their own; what else a user did wrong is 400. */
const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  API_BAD_HOST: 421,
  API_BAD_ORIGIN: 403,
  API_BODY_TOO_LARGE: 413,
  API_FORBIDDEN: 403,
  API_MEDIA_TYPE: 415,
  API_METHOD_NOT_ALLOWED: 405,
  API_NOT_FOUND: 404,
  API_NOT_READY: 503,
  API_TIMEOUT: 408,
  API_TOO_MANY_TRIES: 429,
  API_UNAUTHORIZED: 401,
  CLUSTER_ANSWER_MISSING: 503,
  CLUSTER_FORGET_REFUSED: 409,
  CLUSTER_SETTING_LOST: 409,
  CONFIG_FIXED_KEY: 409,
  BACKGROUND_CLOSED: 503,
  CONTROL_ALONE: 409,
  CONTROL_BUSY: 503,
  CONTROL_NOT_FOUND: 404,
  CONTROL_OVER: 409,
  DIRECTORY_FAILED: 503,
  TOPOLOGY_REFUSED: 409,
};

interface Refusal {
  readonly status: number;
  readonly body: RefusalBody;
}

interface RefusalBody {
  readonly error: {
    readonly code: string;
    /** What happened and why. */
    readonly message: string;
    /** What to do about it. */
    readonly remedy: string;
  };
}

export function refusalOf(error: CrawlError): Refusal {
  const { code, message } = error;
  return {
    status: STATUS[code] ?? (isOurs(code) ? 500 : 400),
    body: { error: { code, message, remedy: ERRORS[code].remedy } },
  };
}

/** Whether not the request is to blame, but Trobar or its disk. */
function isOurs(code: ErrorCode): boolean {
  return /^(?:INTERNAL|BACKGROUND|DATABASE|DIRECTORY|LINKS|LOG|RUN|STORAGE|STORE|TEXTS)_/.test(
    code,
  );
}

/** What the work on a request threw: an error of the crawl, or a mistake of ours. */
export function asCrawlError(thrown: unknown, request: string): CrawlError {
  if (isCrawlError(thrown)) return thrown;
  return faultOf(thrown, { code: "INTERNAL_API", what: `the request ${request}`, isOver: false });
}

export function badRequest(problems: readonly string[]): CrawlError {
  return new CrawlError("API_BAD_REQUEST", `The request is refused: ${problems.join("; ")}.`);
}
