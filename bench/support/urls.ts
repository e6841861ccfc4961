/** URLs and small responses as a crawl meets them, the same for the same seed. */
import { SeededRandom } from "../../src/base/random/index.ts";

const WORDS =
  "news shop index article category product view about login wiki Main_Page 2024 img css archive tag page user forum thread".split(
    " ",
  );
const ENDINGS = ".html,.html,.htm,.php,,,,/,/,.pdf,.jpg,.png,.aspx,.JPG,.css,.js".split(",");
const SUFFIXES = ".com .it .it .org .co.uk .de .net .fr".split(" ");
const TYPES = ["text/html; charset=utf-8", "text/html", "image/jpeg", "application/pdf", undefined];

const TEXT_BODY = new Uint8Array(4000).fill(0x61);
const BINARY_BODY = new Uint8Array(4000).map((_, index) => (index % 7 === 0 ? 0 : 0x80));

export class BenchPage {
  readonly href: string;
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly query: string;
  readonly domain: string;
  readonly source = undefined;
  readonly depth = 3;
  readonly kind = "a";
  readonly rel = "";
  readonly nofollow = false;
  readonly anchor = "";
  readonly status = 200;
  readonly bodyBytes = 4000;
  readonly #type: string | undefined;
  readonly #body: Uint8Array;

  constructor(random: SeededRandom) {
    this.scheme = random.below(100) === 0 ? "ftp" : random.below(4) === 0 ? "http" : "https";
    this.host = `www.${pick(random, WORDS)}${random.below(1000)}${pick(random, SUFFIXES)}`;
    this.port = this.scheme === "https" ? 443 : 80;
    this.domain = this.host.slice(4);
    this.path = pathOf(random);
    this.query = random.below(3) === 0 ? `id=${random.below(100_000)}&page=${random.below(9)}` : "";
    const query = this.query === "" ? "" : `?${this.query}`;
    this.href = `${this.scheme}://${this.host}${this.path}${query}`;
    this.#type = pick(random, TYPES);
    this.#body = this.#type?.startsWith("text/") ? TEXT_BODY : BINARY_BODY;
  }

  header(name: string): string | undefined {
    return name === "content-type" ? this.#type : undefined;
  }
  bodyPrefix(bytesMax: number): Uint8Array {
    return this.#body.subarray(0, bytesMax);
  }
}

export function benchPages(count: number, seed: number): readonly BenchPage[] {
  const random = new SeededRandom(`filter/${seed}`);
  return Array.from({ length: count }, () => new BenchPage(random));
}

export function pathOf(random: SeededRandom): string {
  let path = "";
  for (let left = random.below(6); left > 0; left -= 1) {
    path += `/${pick(random, WORDS)}${random.below(3) === 0 ? random.below(1000) : ""}`;
  }
  // Half of all pages are named by a title, as in /2024/some-words-of-it-12345.html.
  const title = random.below(2) === 0 ? slugOf(random) : pick(random, WORDS);
  return `${path}/${title}${pick(random, ENDINGS)}`;
}

function slugOf(random: SeededRandom): string {
  const words = Array.from({ length: 3 + random.below(5) }, () => pick(random, WORDS));
  return `${words.join("-")}-${random.below(100_000)}`;
}

function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}
