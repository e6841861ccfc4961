/**
 * Headers, credentials and cookies of the user, in whole crawls of real servers: who gets them, who
 * must not, and that no file of the crawl has a secret in it.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createServer as createTlsServer, setDefaultCACertificates } from "node:tls";
import { run } from "../../src/cli/shell/run.ts";
import { crawlInto, type EndedCrawl } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";
import { CertificateAuthority } from "../support/fetch/certificates.ts";
import { type RawServer, type RawServerOptions, serveRaw } from "../support/fetch/raw-server.ts";

const authority = new CertificateAuthority();
setDefaultCACertificates([authority.cert]);
const TLS: RawServerOptions = {
  create: (accepted) => createTlsServer(authority.issue({ host: "localhost" }), accepted),
};

const SECRET = "s3cret-and-nobody-else-knows";
let folder = "";

before(() => {
  folder = mkdtempSync(join(tmpdir(), "trobar-secrets-"));
});
after(() => rmSync(folder, { recursive: true }));

/** Pages by path; a value that begins with `>` is a redirect. */
function serve(pages: () => Readonly<Record<string, string>>, options: RawServerOptions = {}) {
  return serveRaw((socket, request) => {
    const page = pages()[pathOf(request)];
    const body = page === undefined || page.startsWith(">") ? "" : page;
    const status = page === undefined ? "404 Not Found" : body === page ? "200 OK" : "302 Found";
    const location = page?.startsWith(">") ? `Location: ${page.slice(1)}\r\n` : "";
    const head = `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\n${location}`;
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  }, options);
}

function pathOf(request: string): string {
  return /^GET (\S+)/.exec(request)?.[1] ?? "";
}

/** The header of each request to a host, by path. */
function got({ requests }: RawServer, host: string, header: string): Record<string, string | null> {
  const own = requests.filter((request) => request.includes(`\r\nHost: ${host}:`));
  const value = new RegExp(`^${header}: (.*)\\r$`, "im");
  return Object.fromEntries(own.map((one) => [pathOf(one), value.exec(one)?.[1] ?? null]));
}

let crawls = 0;

async function crawl(args: readonly string[], environment = {}): Promise<EndedCrawl> {
  crawls += 1;
  const out = join(folder, String(crawls));
  const flags = ["--allow-private", "--delay", "1ms", "--ip-delay", "0", "--min-free-disk", "0"];
  // The authority is trusted in this thread.
  const argv = ["crawl", ...flags, "--lanes", "1", "--scope", "any", "--json", "-o", out, ...args];
  return await crawlInto(out, argv, new RecordedTerminal({ environment }));
}

/** Asserts that a secret, plain or in any coding that headers use, is in no file and no message. */
function assertNowhere(secret: string, { folder: out, records, terminal }: EndedCrawl): void {
  const texts = [terminal.said, terminal.written];
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts.push(readFileSync(join(entry.parentPath, entry.name), "latin1"));
  }
  texts.push(...records.map(({ block }) => Buffer.from(block).toString("latin1")));
  const forms = [
    secret,
    Buffer.from(`me:${secret}`).toString("base64"),
    encodeURIComponent(secret),
  ];
  for (const text of texts) {
    for (const form of forms)
      assert.ok(!text.includes(form), `${form} is in ${text.slice(0, 500)}`);
  }
}

/** The archived request for a path. */
function archived({ records }: EndedCrawl, path: string): string {
  const blocks = records
    .filter(({ type }) => type === "request")
    .map(({ block }) => Buffer.from(block).toString("latin1"));
  return blocks.find((block) => block.startsWith(`GET ${path} `)) ?? "";
}

describe("what the user has sent", () => {
  test("headers go to every host, and replace ours", async () => {
    await using server = await serve(() => ({
      "/": `<a href="http://127.0.0.1:${server.port}/other">x</a>`,
      "/other": "there",
    }));
    const ended = await crawl([
      ...["--header", "Accept-Language: de, en;q=0.5", "--header", "accept:text/html"],
      `http://localhost:${server.port}/`,
    ]);
    assert.equal(ended.code, 0);
    assert.equal(got(server, "localhost", "Accept-Language")["/"], "de, en;q=0.5");
    assert.equal(got(server, "127.0.0.1", "Accept-Language")["/other"], "de, en;q=0.5");
    assert.equal(got(server, "127.0.0.1", "Accept")["/other"], "text/html");
    const sent = server.requests.find((request) => request.startsWith("GET /other"));
    assert.equal(archived(ended, "/other"), sent);
    assert.match(sent ?? "", /^(?!(?:.*\r\n)*Accept: text\/html,)/);
  });

  test("credentials go only to their host, even when it redirects or links elsewhere", async () => {
    await using server = await serve(() => ({
      "/": `<a href="/jump">x</a><a href="http://127.0.0.1:${server.port}/linked">x</a>`,
      "/jump": `>http://127.0.0.1:${server.port}/landed`,
      "/landed": "there",
      "/linked": "there too",
    }));
    const ended = await crawl(
      [
        ...["--set", "fetch.credentials=[{ host: localhost, env: SITE_LOGIN }]"],
        `http://localhost:${server.port}/`,
      ],
      { SITE_LOGIN: `me:${SECRET}` },
    );
    assert.equal(ended.code, 0);
    const basic = `Basic ${Buffer.from(`me:${SECRET}`).toString("base64")}`;
    assert.deepEqual(got(server, "localhost", "Authorization"), {
      "/robots.txt": basic,
      "/": basic,
      "/jump": basic,
    });
    assert.deepEqual(got(server, "127.0.0.1", "Authorization"), {
      "/robots.txt": null,
      "/landed": null,
      "/linked": null,
    });
    assert.match(archived(ended, "/"), /\r\nAuthorization: Basic \[removed\]\r\n/);
    assertNowhere(SECRET, ended);
  });

  test("credentials of a file are sent over https only, unless a seed is http", async () => {
    await using clear = await serve(() => ({ "/clear": "in the clear" }));
    const page = () => `<a href="http://localhost:${clear.port}/clear">x</a>`;
    await using secure = await serve(() => ({ "/": page() }), TLS);
    const file = join(folder, "token");
    writeFileSync(file, `Bearer ${SECRET}\n`);
    const flags = ["--set", `fetch.credentials=[{ host: localhost, file: '${file}' }]`];
    const seed = `https://localhost:${secure.port}/`;
    const ended = await crawl([...flags, seed]);
    assert.equal(ended.summary?.pages, 2);
    assert.equal(got(secure, "localhost", "Authorization")["/"], `Bearer ${SECRET}`);
    assert.equal(got(clear, "localhost", "Authorization")["/clear"], null);
    assertNowhere(SECRET, ended);
    await crawl([...flags, seed, `http://localhost:${clear.port}/clear`]);
    assert.equal(got(clear, "localhost", "Authorization")["/clear"], `Bearer ${SECRET}`);
    // Also for that port alone, and not for another port of the host.
    const [, named = ""] = flags;
    await using own = await serve(() => ({ "/a": "its own port" }));
    await using other = await serve(() => ({ "/b": "another port" }));
    const forPort = named.replace("host: localhost", `host: 'localhost:${own.port}'`);
    const seeds = [`http://localhost:${own.port}/a`, `http://localhost:${other.port}/b`];
    await crawl(["--set", forPort, ...seeds]);
    assert.equal(got(own, "localhost", "Authorization")["/a"], `Bearer ${SECRET}`);
    assert.equal(got(other, "localhost", "Authorization")["/b"], null);
  });

  test("user and password of a seed go to its host and port, and are kept nowhere", async () => {
    await using server = await serve(() => ({
      "/":
        `<a href="http://localhost:${other.port}/port">x</a>` +
        `<a href="http://127.0.0.1:${server.port}/host">x</a>`,
      "/host": "there",
    }));
    await using other = await serve(() => ({ "/port": "another server" }));
    const ended = await crawl([`http://me:${SECRET}@localhost:${server.port}/`]);
    assert.equal(ended.summary?.pages, 3);
    const basic = `Basic ${Buffer.from(`me:${SECRET}`).toString("base64")}`;
    assert.equal(got(server, "localhost", "Authorization")["/"], basic);
    assert.equal(got(server, "127.0.0.1", "Authorization")["/host"], null);
    assert.equal(got(other, "localhost", "Authorization")["/port"], null);
    assert.match(ended.terminal.said, /sent to localhost alone/);
    assertNowhere(SECRET, ended);
  });

  test("cookies of a file go by domain, path and https, and what hosts set joins them", async () => {
    await using server = await serveRaw((socket, request) => {
      const body = pathOf(request) === "/" ? '<a href="/deep/x">x</a>' : "page";
      const jump = pathOf(request) === "/deep/x";
      const head = jump
        ? `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${server.port}/landed\r\n`
        : "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: own=1\r\n";
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    });
    const file = join(folder, "cookies.txt");
    const lines = [
      "# Netscape HTTP Cookie File",
      `localhost\tFALSE\t/\tFALSE\t0\tsid\t${SECRET}`,
      `#HttpOnly_localhost\tFALSE\t/deep\tFALSE\t4102444800\tdeep\t${SECRET}`,
      "localhost\tFALSE\t/\tTRUE\t0\tsecure\tx",
      "localhost\tFALSE\t/\tFALSE\t1\told\tx",
      "other.test\tTRUE\t/\tFALSE\t0\tother\tx",
    ];
    writeFileSync(file, lines.join("\r\n"));
    const ended = await crawl([
      ...["--cookies", file, "--ignore-robots"],
      `http://localhost:${server.port}/`,
    ]);
    assert.equal(ended.code, 0);
    assert.deepEqual(got(server, "localhost", "Cookie"), {
      "/": `sid=${SECRET}`,
      "/deep/x": `sid=${SECRET}; deep=${SECRET}; own=1`,
    });
    assert.equal(got(server, "127.0.0.1", "Cookie")["/landed"], null);
    const request = archived(ended, "/deep/x");
    assert.match(request, /\r\nCookie: sid=\[removed\]; deep=\[removed\]; own=1\r\n/);
    assertNowhere(SECRET, ended);
  });
});

describe("mistakes in what is to be sent", () => {
  test("all of them are reported at once, each with its place and reason", async () => {
    const cookies = join(folder, "bad-cookies.txt");
    writeFileSync(cookies, "localhost FALSE / FALSE 0 a b\n\nlocalhost\tNO\t/\tFALSE\t0\ta\tb\n");
    const empty = join(folder, "empty");
    writeFileSync(empty, "\n");
    const terminal = new RecordedTerminal();
    const credentials = [
      "{ host: a.test, env: NOT_SET }",
      `{ host: a.test, file: '${empty}' }`,
      `{ host: a.test, file: '${join(folder, "missing")}' }`,
    ];
    const code = await run(
      [
        ...["crawl", "https://a.test/", "-o", join(folder, "never")],
        ...["--header", "Host: b.test", "--header", "no colon", "--header", "X: \u0394"],
        ...["--header", "Authorization: Basic eA==", "--header", "Cookie: a=b"],
        ...["--header", "User-Agent: x", "--header", "Content-Length: 3", "--header", "TE: x"],
        ...["--header", "Connection: close", "--header", "Transfer-Encoding: chunked"],
        ...["--cookies", cookies, "--set", `fetch.credentials=[${credentials.join(", ")}]`],
      ],
      terminal,
    );
    assert.equal(code, 2);
    const { said } = terminal;
    for (const expected of [
      /flag --header no\. 1: fetch\.headers: "Host" decides where a message ends/,
      /flag --header no\. 2: "no colon" is not of the form NAME: VALUE/,
      /flag --header no\. 3: fetch\.headers: ".*" has characters that a header may not contain/,
      /"Authorization" would go to every host; use fetch\.credentials/,
      /"Cookie" would go to every host; use --cookies FILE/,
      /"User-Agent" is set by userAgent/,
      /"Content-Length" decides/,
      /"TE" decides/,
      /"Connection" decides/,
      /"Transfer-Encoding" decides/,
      /bad-cookies\.txt:1:1: the line has 1 field instead of seven with tabs/,
      /bad-cookies\.txt:3:1: the line has neither TRUE nor FALSE in its second field/,
      /fetch\.credentials: "NOT_SET" is not set/,
      /fetch\.credentials: ".*empty" is empty/,
      /fetch\.credentials: ".*missing" does not exist/,
    ]) {
      assert.match(said, expected);
    }
  });

  test("a credential names one host and one place to read it from", async () => {
    for (const [entry, problem] of [
      ["{ host: a.test }", /needs either file or env/],
      ["{ host: a.test, file: x, env: Y }", /needs either file or env/],
      ["{ host: 'https://a.test', env: Y }", /has a scheme; write the host alone/],
      ["{ host: a.test, password: x }", /"password" is not one of its fields/],
      ["{ env: Y }", /means no value, and one is needed/],
      ["a.test", /is not a tree of fields/],
    ] as const) {
      const terminal = new RecordedTerminal({ environment: { Y: "a:b" } });
      const args = ["crawl", "https://a.test/", "--set", `fetch.credentials=[${entry}]`];
      assert.equal(await run([...args, "-o", join(folder, "never")], terminal), 2, entry);
      assert.match(terminal.said, problem);
    }
  });
});
