/** The codes of what is asked of a running crawl, through its HTTP interface or not. */

export const CONTROL_ERRORS = {
  API_BAD_HOST: {
    retry: "never",
    meaning: "A request to the API names a host that is not the API's, as rebound DNS names do.",
    remedy: "Use the URL in api.json, or the address at which the API listens.",
  },
  API_BAD_ORIGIN: {
    retry: "never",
    meaning: "A request to the API was made by a page of another site.",
    remedy: "Only pages that the API itself serves may use it from a browser.",
  },
  API_BAD_REQUEST: {
    retry: "never",
    meaning: "A request to the API is not well formed; the message lists what is wrong.",
    remedy: "Correct it; docs/api.md and /api/v1/openapi.json describe every request.",
  },
  API_BODY_TOO_LARGE: {
    retry: "never",
    meaning: "The body of a request to the API is larger than the limit.",
    remedy: "Send it in several requests.",
  },
  API_FORBIDDEN: {
    retry: "never",
    meaning: "A change was asked for with a token that may only read.",
    remedy: "Use the token of the file that api.json names.",
  },
  API_LISTEN_FAILED: {
    retry: "never",
    meaning: "The API could not listen at the address and port that it was given.",
    remedy: "Choose another api.port, or auto; the message has the system's reason.",
  },
  API_MEDIA_TYPE: {
    retry: "never",
    meaning: "A request that changes something does not say that its body is JSON.",
    remedy: "Send JSON, with the header Content-Type: application/json.",
  },
  API_METHOD_NOT_ALLOWED: {
    retry: "never",
    meaning: "What the API has at this path cannot be asked for by this method.",
    remedy: "Use one of the methods that the header Allow names.",
  },
  API_NOT_FOUND: {
    retry: "never",
    meaning: "The API has nothing at this path.",
    remedy: "Correct it; /api/v1/openapi.json lists all paths.",
  },
  API_NOT_READY: {
    retry: "later",
    meaning: "The API listens, but its crawl is still being opened.",
    remedy: "Ask again in a moment.",
  },
  API_TIMEOUT: {
    retry: "later",
    meaning: "A request to the API did not arrive in time.",
    remedy: "Send it again.",
  },
  API_TLS_UNUSABLE: {
    retry: "never",
    meaning: "The certificate or key that api.tls names cannot be used.",
    remedy: "Name a certificate chain and its key, both as PEM files.",
  },
  API_TOKEN_NEEDED: {
    retry: "never",
    meaning: "The API was to listen for other machines without a token that the user chose.",
    remedy: "Name a file with a token by api.token, or let the API listen on 127.0.0.1.",
  },
  API_TOKEN_UNUSABLE: {
    retry: "never",
    meaning: "The file that api.token or api.readToken names holds no usable token.",
    remedy: "Write one line of 16 to 512 characters into it, without spaces.",
  },
  API_TOO_MANY_TRIES: {
    retry: "later",
    meaning: "Too many requests with wrong tokens came from this address.",
    remedy: "Wait a minute, and use the token of the file that api.json names.",
  },
  API_UNAUTHORIZED: {
    retry: "never",
    meaning: "A request to the API has no token, or a wrong one.",
    remedy: "Send the header Authorization: Bearer TOKEN, from the file that api.json names.",
  },
  CONTROL_ALONE: {
    retry: "never",
    meaning: "A crawl of a single process was asked for what only a cluster can do.",
    remedy: "`trobar stop` ends it; only a crawl of several agents can be left.",
  },
  CONTROL_BUSY: {
    retry: "later",
    meaning: "A running crawl was asked more than it can answer at once.",
    remedy: "Ask again in a moment, and wait for one answer before the next question.",
  },
  CONTROL_NOT_FOUND: {
    retry: "never",
    meaning: "A running crawl was asked for a unit, host, page or key that it does not have.",
    remedy: "Correct the name; /api/v1/units and /api/v1/hosts list what there is.",
  },
  CONTROL_NOT_RUNNING: {
    retry: "never",
    meaning: "A command is for a running crawl, and this one is not running.",
    remedy: "Start it with `trobar crawl`; `status`, `seed`, `retry` and `explain` work without.",
  },
  CONTROL_OVER: {
    retry: "never",
    meaning: "A crawl was to be changed that is ending or has ended.",
    remedy: "Start it again; changes can also be given when it is started.",
  },
  CONTROL_UNREACHABLE: {
    retry: "later",
    meaning: "No crawl answers where its API was expected.",
    remedy: "Correct --api, or name the crawl directory with -o; the crawl may have ended.",
  },
} as const;
