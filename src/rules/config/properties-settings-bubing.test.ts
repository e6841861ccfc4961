import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BUBING_REMARKS,
  BUBING_WITHOUT_KEY,
  CONFIGURATION_SCHEMA,
  readConfiguration,
} from "./index.ts";

/** A file such as BUbiNG's users have: every property it demands, in its own notation. */
const BUBING_FILE = String.raw`
# A crawl of Italian universities
rootDir=/var/crawl
name=agent0
maxUrls=10M
maxUrlsPerSchemeAuthority=1K
parsingThreads=64
dnsThreads=50
fetchingThreads=512
fetchFilter=TRUE
scheduleFilter=( SchemeEquals(http) or SchemeEquals(https) ) and \
    HostEndsWithOneOf(.unimi.it\,.polimi.it) and \
    not PathEndsWithOneOf(.jpg\,.gif)
followFilter=true
parseFilter=( ContentTypeStartsWith(text/) or PathEndsWithOneOf(.html\,.htm) ) and not IsProbablyBinary()
storeFilter=( ContentTypeStartsWith(text/) ) and not IsProbablyBinary()
schemeAuthorityDelay=10s
ipDelay=2000
bloomFilterPrecision=1E-8
seed=http://www.unimi.it/, http://www.polimi.it/
seed=file:more-seeds.txt
blackListedHosts=a.example.org
blackListedHosts=b.example.org
socketTimeout=60s
connectionTimeout=60s
fetchDataBufferByteSize=200K
proxyHost=
proxyPort=8080
cookiePolicy=compatibility
cookieMaxByteSize=2000
userAgent=BUbiNG (+http://law.di.unimi.it/BUbiNG.html)
userAgentFrom=crawler@example.org
robotsExpiration=1h
responseBodyMaxByteSize=2M
digestAlgorithm=MurmurHash3
startPaused=false
workbenchMaxByteSize=512Mi
urlCacheMaxByteSize=1Gi
sieveSize=64Mi
parserSpec=HTMLParser(MurmurHash3)
storeClass=it.unimi.di.law.bubing.store.WarcStore
keepAliveTime=1s
dnsCacheMaxSize=10000
weight=2
acceptAllCertificates=true
fetch.maxRedirects=5
`;

test("a file written for BUbiNG is read as it is", () => {
  const bytes = new TextEncoder().encode(BUBING_FILE);
  const reading = readConfiguration({ files: [{ path: "bubing.properties", bytes }] });
  assert.ok(reading.ok, JSON.stringify(reading));
  const { configuration } = reading;
  assert.equal(configuration.name, "agent0");
  assert.equal(configuration.limits.pages, 10_000_000);
  assert.equal(configuration.limits.pagesPerHost, 1000);
  assert.equal(configuration.fetch.concurrency, 512);
  assert.equal(configuration.politeness.hostDelay, 10_000);
  assert.equal(configuration.politeness.ipDelay, 2000);
  assert.equal(configuration.politeness.robotsMaxAge, 3_600_000);
  assert.equal(configuration.fetch.maxBody, 2_000_000);
  assert.deepEqual(configuration.seeds, ["http://www.unimi.it/", "http://www.polimi.it/"]);
  assert.deepEqual(configuration.politeness.blockHosts, ["a.example.org", "b.example.org"]);
  assert.equal(configuration.userAgent, "BUbiNG (+http://law.di.unimi.it/BUbiNG.html)");
  assert.equal(configuration.contact, "crawler@example.org");
  assert.equal(configuration.fetch.proxy, null);
  assert.equal(configuration.fetch.cookies, true);
  assert.equal(configuration.fetch.insecure, true);
  assert.equal(configuration.fetch.maxRedirects, 5);
  assert.equal(configuration.store.kind, "warc");
  assert.equal(configuration.cluster.capacity, 2);
  assert.equal(
    configuration.filters.schedule,
    "( SchemeEquals(http) or SchemeEquals(https) ) and HostEndsWithOneOf(.unimi.it,.polimi.it) " +
      "and not PathEndsWithOneOf(.jpg,.gif)",
  );
});

test("what has no counterpart is noted with its place and its replacement", () => {
  const bytes = new TextEncoder().encode(BUBING_FILE);
  const reading = readConfiguration({ files: [{ path: "bubing.properties", bytes }] });
  const notes = reading.notes.map(({ text }) => text);
  for (const name of [
    "rootDir",
    "parsingThreads",
    "bloomFilterPrecision",
    "sieveSize",
    "parserSpec",
  ]) {
    assert.ok(
      notes.some((text) => text.startsWith(`BUbiNG's ${name} has no counterpart`)),
      name,
    );
  }
  assert.ok(notes.some((text) => text.includes("scope=any")));
  assert.deepEqual(reading.notes[0]?.location, {
    kind: "file",
    path: "bubing.properties",
    line: 3,
    column: 1,
  });
});

test("a file of seeds that a BUbiNG file names is passed on", () => {
  const bytes = new TextEncoder().encode(BUBING_FILE);
  const reading = readConfiguration({ files: [{ path: "bubing.properties", bytes }] });
  assert.ok(reading.ok);
  assert.deepEqual(
    reading.seedFiles.map(({ path }) => path),
    ["more-seeds.txt"],
  );
});

test("a proxy is put together from host and port", () => {
  const configurations = ["proxyHost=proxy\nproxyPort=3128", "proxyHost=proxy"].map((text) => {
    const bytes = new TextEncoder().encode(text);
    const reading = readConfiguration({ files: [{ path: "c.properties", bytes }] });
    assert.ok(reading.ok);
    return reading.configuration.fetch.proxy;
  });
  assert.deepEqual(configurations, ["http://proxy:3128", "http://proxy:8080"]);
});

test("a store class other than BUbiNG's is noted and ignored", () => {
  const bytes = new TextEncoder().encode(
    "storeClass=com.example.MyStore\ncookiePolicy=ignoreCookies",
  );
  const reading = readConfiguration({ files: [{ path: "c.properties", bytes }] });
  assert.ok(reading.ok);
  assert.equal(reading.configuration.store.kind, "warc");
  assert.equal(reading.configuration.fetch.cookies, false);
  assert.match(reading.notes[0]?.text ?? "", /storeClass has no counterpart.*store\.kind/);
});

test("no name of BUbiNG's is both mapped and left out, and remarks are about mapped ones", () => {
  const mapped = new Set(CONFIGURATION_SCHEMA.keys.flatMap(({ key }) => key.bubing));
  for (const name of BUBING_WITHOUT_KEY.keys()) assert.ok(!mapped.has(name), name);
  for (const name of BUBING_REMARKS.keys()) assert.ok(mapped.has(name), name);
});
