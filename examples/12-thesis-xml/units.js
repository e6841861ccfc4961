/**
 * The units of figure A.1 of the Crawler.NET thesis. A unit is found by the last name of its .NET type:
 * `Crawler.HtmlParser, CrawlerClient` is `html-parser`. Where that does not fit, `types` says what is meant.
 * The web is three pages in here, so that the example needs no network.
 */
import { codec, filter, itemType, key, provider, providerRole, value } from "trobar/units";

/** `System.Uri` in the XML. */
const Url = itemType("url", codec.text);

const AddressResolver = providerRole("example/address-resolver");
const Database = providerRole("example/database");

export const types = { "Crawler.MSSQLClientDataProvider, CrawlerClient": "row-store" };

const WEB = new Map([
  ["http://a.test/", '<a href="/news">news</a> <a href="http://b.test/">b</a>'],
  ["http://b.test/", '<a href="http://a.test/">a</a>'],
]);

/** Documents that were downloaded, by URL: what the figure's connector carries are their URLs. */
const documents = new Map();

/** Nothing in the figure uses it; it shows how a property becomes a setting. */
export const rowStore = provider({
  name: "row-store",
  provides: Database,
  settings: {
    connectionString: key(
      value.text({ form: "a connection string", examples: ["Pooling=false"] }),
      {
        default: "",
        meaning: "Where the database is.",
      },
    ),
  },
  create: (unit) => ({ service: { where: unit.settings.connectionString } }),
});

export const dnsResolver = provider({
  name: "dns-resolver",
  provides: AddressResolver,
  create: () => ({
    service: { addressOf: async (host) => (host === "b.test" ? null : "127.0.0.1") },
  }),
});

/** A host without an address gives no document. */
export const downloader = filter({
  name: "downloader",
  input: Url,
  output: Url,
  providers: { addressResolver: AddressResolver },
  create: (unit) => async (url, emit) => {
    const address = await unit.providers.addressResolver.addressOf(new URL(url).hostname);
    if (address === null) return;
    documents.set(url, WEB.get(url) ?? "");
    emit(url);
  },
});

export const htmlParser = filter({
  name: "html-parser",
  input: Url,
  output: Url,
  create: () => (url, emit) => {
    const links = (documents.get(url) ?? "").matchAll(/href="([^"]*)"/g);
    for (const [, link = ""] of links) emit(new URL(link, url).href);
  },
});
