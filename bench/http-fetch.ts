/**
 * Claim: a page by `HttpFetcher` costs about half of what undici's dispatch costs, or less, and at
 * most 100 microseconds of CPU where a connection serves four requests. Pages of 25 kB from a
 * server in another process; one connection for each of 64 hosts at a time; rounds of all clients
 * are interleaved and medians taken. The references are undici and Node's own client.
 * `node bench/http-fetch.ts [rounds] [pages]`
 */
import { fork } from "node:child_process";
import {
  type Client,
  HttpFetcherClient,
  NodeClient,
  UndiciClient,
} from "./support/http-clients.ts";
import { median } from "./support/rounds.ts";

const HOSTS = 64;
const rounds = Number(process.argv[2] ?? 5);
const pages = Number(process.argv[3] ?? 8000);

interface Cost {
  readonly cpuMicros: number;
  readonly elapsedMicros: number;
}

/** Fetches this many pages, from each host one after the other. */
async function measure(client: Client, port: number, count: number): Promise<Cost> {
  const startCpu = process.cpuUsage();
  const startMs = performance.now();
  let left = count;
  await new Promise<void>((resolve, reject) => {
    let open = 0;
    const next = (host: number) => {
      if (left-- <= 0) {
        if (open === 0) resolve();
        return;
      }
      open++;
      client.fetch(`http://host-${host}.test:${port}/page`, (bytes) => {
        open--;
        if (bytes !== PAGE_BYTES) reject(new Error(`${client.name}: a page of ${bytes} bytes`));
        else next(host);
      });
    };
    for (let host = 0; host < HOSTS; host++) next(host);
  });
  const { user, system } = process.cpuUsage(startCpu);
  const elapsedMicros = (performance.now() - startMs) * 1000;
  return { cpuMicros: (user + system) / count, elapsedMicros: elapsedMicros / count };
}

const PAGE_BYTES = 25_000;

async function contest(requestsPerConnection: number): Promise<void> {
  const limit = String(requestsPerConnection);
  const server = fork(new URL("./support/http-page-server.ts", import.meta.url), [limit]);
  const port = await new Promise<number>((resolve) =>
    server.once("message", (m) => resolve(Number(m))),
  );
  const clients = [new HttpFetcherClient(), new UndiciClient(), new NodeClient()];
  const costs = new Map<Client, Cost[]>(clients.map((client) => [client, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const client of clients) {
      const cost = await measure(client, port, pages);
      // The first round is for the compiler.
      if (round > 0) costs.get(client)?.push(cost);
    }
  }
  const shown = requestsPerConnection === 0 ? "unlimited" : limit;
  console.log(`requests per connection: ${shown}`);
  let ours = 0;
  for (const [client, all] of costs) {
    const cpu = median(all.map(({ cpuMicros }) => cpuMicros));
    const perSecond = 1e6 / median(all.map(({ elapsedMicros }) => elapsedMicros));
    if (ours === 0) ours = cpu;
    console.log(
      `  ${client.name.padEnd(20)} ${cpu.toFixed(0).padStart(5)} µs CPU per page   ` +
        `${perSecond.toFixed(0).padStart(6)} pages/s   ratio ${(cpu / ours).toFixed(2)}`,
    );
    client.close();
  }
  server.kill();
}

await contest(0);
await contest(4);
