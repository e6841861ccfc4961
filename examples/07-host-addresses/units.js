/**
 * The running example of the Crawler.NET thesis: URLs come in, the addresses of their hosts go out. It
 * is written as each of the four kinds of components that have inputs and outputs; `topology.yaml`
 * connects them. Where the thesis asks the name servers of the internet, these ask a provider: here
 * a table, in a crawl a resolver.
 */
import {
  codec,
  counter,
  filter,
  general,
  itemType,
  join,
  key,
  merge,
  provider,
  providerRole,
  sink,
  source,
  value,
} from "trobar/units";

const Url = itemType("example/url", codec.text);
const Address = itemType("example/address", codec.text);

/** A service with `addressesOf(host)`, which gives a promise of a list of addresses. */
export const Resolver = providerRole("example/resolver");

const texts = (form, example) => value.list(value.text({ form, examples: [example] }));

/** Figure 4.5, a SimpleFilter: one input, one output, any number of items out for each item in. */
export const simpleAddresses = filter({
  name: "simple-addresses",
  input: Url,
  output: Address,
  providers: { resolver: Resolver },
  create: (unit) => async (url, emit) => {
    const { hostname } = new URL(url);
    for (const address of await unit.providers.resolver.addressesOf(hostname)) emit(address);
  },
});

/** Figure 4.6, a SynchronousComplexFilter: called when every input has an item. Here there is one. */
export const joinedAddresses = join({
  name: "joined-addresses",
  inputs: { urls: Url },
  outputs: { addresses: Address },
  providers: { resolver: Resolver },
  create:
    (unit) =>
    async ({ urls: url }, emit) => {
      const { hostname } = new URL(url);
      for (const address of await unit.providers.resolver.addressesOf(hostname)) {
        emit.addresses(address);
      }
    },
});

/** Figure 4.7, a SemiSynchronousComplexFilter: a function for each input, called when it has an item. */
export const mergedAddresses = merge({
  name: "merged-addresses",
  inputs: { urls: Url },
  outputs: { addresses: Address },
  providers: { resolver: Resolver },
  create: (unit) => ({
    take: {
      urls: async (url, emit) => {
        const { hostname } = new URL(url);
        for (const address of await unit.providers.resolver.addressesOf(hostname)) {
          emit.addresses(address);
        }
      },
    },
  }),
});

/**
 * Figure B.1, an AsynchronousComplexFilter: it takes and emits whenever it likes. Addresses pass at
 * once, while any number of hosts are being resolved. No lock is needed, since the units of a thread
 * take turns.
 */
export const asynchronousAddresses = general({
  name: "asynchronous-addresses",
  inputs: { urls: Url, addresses: Address },
  outputs: { addresses: Address },
  providers: { resolver: Resolver },
  create(unit) {
    const append = (addresses) => {
      for (const address of addresses) unit.emit.addresses(address);
    };
    return {
      take: {
        urls: (url) => unit.providers.resolver.addressesOf(new URL(url).hostname).then(append),
        addresses: (address) => append([address]),
      },
    };
  },
});

/** A SimpleProducer: emits a list and is done. */
export const urlList = source({
  name: "url-list",
  output: Url,
  settings: {
    urls: key(texts("a URL", "http://a.test/"), { default: [], meaning: "What is emitted." }),
  },
  create: (unit) => ({ pull: (_countMax, emit) => emitAll(unit.settings.urls, emit, unit) }),
});

/** The same for addresses. */
export const addressList = source({
  name: "address-list",
  output: Address,
  settings: {
    addresses: key(texts("an address", "127.0.0.1"), { default: [], meaning: "What is emitted." }),
  },
  create: (unit) => ({ pull: (_countMax, emit) => emitAll(unit.settings.addresses, emit, unit) }),
});

function emitAll(items, emit, unit) {
  for (const item of items) emit(item);
  unit.finish();
  return false;
}

/** A SimpleConsumer: counts the addresses, and prints them when there will be no more. */
export const addressCounts = sink({
  name: "address-counts",
  input: Address,
  create() {
    const counts = new Map();
    return {
      take(address) {
        counts.set(address, (counts.get(address) ?? 0) + 1);
      },
      close() {
        for (const [address, count] of [...counts].sort()) {
          process.stdout.write(`${address} ${count}\n`);
        }
      },
    };
  },
});

/** A resolver that knows the hosts of its settings, and no others. */
export const tableResolver = provider({
  name: "table-resolver",
  provides: Resolver,
  settings: {
    hosts: key(texts("HOST=ADDRESS", "a.test=127.0.0.1"), { default: [], meaning: "The table." }),
  },
  metrics: { asked: counter("hosts asked for") },
  create: (unit) => ({
    service: {
      async addressesOf(host) {
        unit.metrics.asked.add();
        const pairs = unit.settings.hosts.map((pair) => pair.split("="));
        return pairs.filter(([name]) => name === host).map(([, address]) => address);
      },
    },
  }),
});
