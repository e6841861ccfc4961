/**
 * Protocol modules of users: each fetches the URLs of one scheme, such as ftp.
 *
 * `loadProtocols` imports what `fetch.protocols` names. A `ModuleFetcher` makes a `Fetcher` of each,
 * which the `ProtocolFetcher` chooses by scheme like those that are built in; a `ModuleFetch` is one
 * request. The module gets the address that was checked and answers as HTTP would; limits of time,
 * size and rate are kept here, and a module that throws or hangs costs only the URL.
 *
 * Read `protocol-module.ts` first, the contract, then `module-fetch.ts`.
 */
export { loadProtocols } from "./load-protocols.ts";
export { ModuleFetcher } from "./module-fetcher.ts";
export type {
  Protocol,
  ProtocolAnswer,
  ProtocolBody,
  ProtocolOptions,
  ProtocolRequest,
} from "./protocol-module.ts";
