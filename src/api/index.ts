/**
 * The HTTP interface of a running crawl: what `CrawlControl` can do, for programs and for other
 * processes. `ApiServer` listens, checks who asks (`server/access.ts`) and what is asked for, and
 * answers in JSON; `routes` has what can be asked, each with its description and its schemas. Nothing is
 * computed until somebody asks.
 *
 *     socket ─► HttpListener ─► ApiServer ─► Access ─► Route ─► CrawlControl
 *                 limits          routing     host, origin, token
 *
 * `api.json` in the crawl directory says where a crawl can be asked.
 *
 * Read `routes/route.ts` first, then `server/api-server.ts`.
 */
export { ApiServer } from "./server/api-server.ts";
