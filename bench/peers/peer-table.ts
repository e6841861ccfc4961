/**
 * The crawlers that are compared, each as its documentation recommends for speed: no delays, no
 * robots.txt, links followed to all hosts, every URL once. What a row does besides fetching is said
 * in the table that is printed, since they do not do the same.
 */
export interface PeerRun {
  readonly seed: string;
  readonly pages: number;
  readonly concurrency: number;
  readonly dnsPort: number;
  /** An empty folder for what it writes. */
  readonly out: string;
  /** Where the clients and their packages are. */
  readonly home: string;
}

export interface Peer {
  readonly name: string;
  readonly does: string;
  readonly writes: string;
  /** Concurrencies that are tried before the rounds; the best one is used. */
  readonly concurrencies: readonly number[];
  readonly needs: "npm" | "debian" | "nothing";
  /** What is looked for on the path. */
  readonly program?: string;
  command(run: PeerRun): readonly string[];
}

const PAGE_BYTES = 27_000;

export const PEERS: readonly Peer[] = [
  {
    name: "Trobar",
    does: "links, text, digests, near duplicates; politeness off for the comparison",
    writes: "WARC (gzip), crawl log",
    concurrencies: [100, 400],
    needs: "nothing",
    command: ({ seed, pages, concurrency, dnsPort, out }) => [
      ...[process.execPath, "bin/trobar.js", "crawl", seed, "--scope", "any"],
      ...["-n", String(pages), "-c", String(concurrency), "--delay", "0", "--ip-delay", "0"],
      ...["--ignore-robots", "--allow-private", "--lanes", "1", "--no-dashboard", "-q"],
      ...["--set", `dns.servers=[127.0.0.1:${dnsPort}]`, "-o", `${out}/crawl`],
    ],
  },
  client("Crawlee CheerioCrawler", "crawlee-cheerio.js", "tree of the page, links", [20, 100]),
  client("Crawlee HttpCrawler", "crawlee-http.js", "links by htmlparser2", [20, 100]),
  client("node-crawler", "node-crawler.js", "tree of the page, links, own set of URLs", [20, 100]),
  {
    name: "Scrapy",
    does: "links by CSS selector (lxml)",
    writes: "nothing",
    concurrencies: [16, 128],
    needs: "debian",
    program: "scrapy",
    command: ({ seed, pages, concurrency, home }) => [
      ...["scrapy", "runspider", `${home}/scrapy_spider.py`, "-a", `seed=${seed}`],
      ...["-s", `CLOSESPIDER_PAGECOUNT=${pages}`, "-s", `CONCURRENT_REQUESTS=${concurrency}`],
    ],
  },
  {
    name: "wget",
    does: "links; one connection",
    writes: "a file per page",
    concurrencies: [1],
    needs: "debian",
    program: "wget",
    command: ({ seed, pages, out }) => [
      ...["wget", "--recursive", "--level=inf", "--span-hosts", "-e", "robots=off", "--quiet"],
      ...[`--quota=${pages * PAGE_BYTES}`, "--tries=1", "--directory-prefix", out, seed],
    ],
  },
  {
    name: "wget2",
    does: "links; several threads",
    writes: "a file per page",
    concurrencies: [8, 32],
    needs: "debian",
    program: "wget2",
    command: ({ seed, pages, concurrency, out }) => [
      ...["wget2", "--recursive", "--level=0", "--span-hosts", "--robots=off", "--quiet"],
      ...[`--quota=${pages * PAGE_BYTES}`, "--tries=1", `--max-threads=${concurrency}`],
      ...["--directory-prefix", out, seed],
    ],
  },
];

function client(
  name: string,
  script: string,
  does: string,
  concurrencies: readonly number[],
): Peer {
  return {
    ...{ name, does, concurrencies, writes: "nothing", needs: "npm" },
    command: ({ seed, pages, concurrency, home }) => [
      ...[process.execPath, `${home}/${script}`, seed, String(pages), String(concurrency)],
    ],
  };
}
