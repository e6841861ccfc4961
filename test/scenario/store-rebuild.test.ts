/**
 * A crawl directory of which all is made again from archive and crawl log: afterwards `verify` finds
 * nothing, and the crawl goes on and ends with every page fetched once, but for those whose bodies the
 * archive does not have. The web's own log says what was fetched.
 */
import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DIRECTORY_CARE } from "../../src/agent/index.ts";
import { printChecked } from "../../src/base/folder/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import { run } from "../../src/cli/shell/run.ts";
import type { Configuration } from "../../src/rules/config/index.ts";
import { type CrawledWeb, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { RecordedTerminal } from "../support/cli/recorded-terminal.ts";

const PAGES = 24;

/** Each page leads to the next two; some are the same, one is found by a redirect. */
const SITE: Hosts = (port) => {
  const page = (number: number) => {
    const links = [2 * number + 1, 2 * number + 2].filter((next) => next < PAGES);
    const anchors = links.map((next) => `<a href="/${next}">${next}</a>`).join(" ");
    const text = links.length === 0 && number % 2 === 0 ? "a leaf" : `page ${number}`;
    const head = number === 5 ? '<meta name="robots" content="noarchive">' : "";
    return { body: `<html lang=en>${head}<title>${text}</title><p>${text} ${anchors}</p>` };
  };
  const pages = Array.from({ length: PAGES }, (_, number) => [`/${number}`, page(number)] as const);
  const start = linking("/0", "/moved", `http://b.test:${port}/`);
  const moved = { status: 302, headers: [["Location", "/1"]] as const, body: "" };
  return {
    "a.test": { pages: { "/": start, "/moved": moved, ...Object.fromEntries(pages) } },
    "b.test": { pages: { "/": linking(`http://a.test:${port}/3`, "/x"), "/x": { body: "<p>x" } } },
  };
};

interface Answer {
  readonly code: number;
  readonly said: string;
  readonly found: Record<string, unknown>;
}

async function ask(args: readonly string[]): Promise<Answer> {
  const terminal = new RecordedTerminal();
  const code = await run(args, terminal);
  const [found = {}] = terminal.rows();
  return { code, said: terminal.said, found: found as Record<string, unknown> };
}

/** How often each page was asked for. */
function times(web: CrawledWeb, from: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const place of web.asked.slice(from)) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}

async function rebuildAndGoOn(web: CrawledWeb, folder: string, lanes: string, from: number) {
  const rebuilt = await ask(["store", "verify", "--rebuild", "--json", "-o", folder]);
  assert.equal(rebuilt.code, 0, rebuilt.said);
  const verified = await ask(["store", "verify", "--json", "-o", folder]);
  assert.deepEqual(verified.found["problems"], [], verified.said);
  assert.equal(verified.found["waiting"], rebuilt.found["waiting"]);
  const flags = [...web.flags, "--lanes", lanes, "--scope", "any", "-n", "1000"];
  const ended = await ask(["crawl", ...flags, "--json", "-q", "-o", folder, web.url("a.test/")]);
  assert.equal(ended.code, 0, ended.said);
  const again = await ask(["store", "verify", "--json", "-o", folder]);
  assert.deepEqual(again.found["problems"], [], again.said);
  return { rebuilt: rebuilt.found, summary: ended.found, fetched: times(web, from) };
}

test("a crawl goes on from what was made again of archive and log alone", async () => {
  await withWeb(SITE, async (web) => {
    const flags = ["--scope", "any", "--set", "store.text=true"];
    const whole = await web.crawl(["a.test/"], flags);
    const due = Object.keys(times(web, 0)).sort();
    assert.equal(due.length, PAGES + 4);
    for (const lanes of ["1", "2"]) {
      const before = web.asked.length;
      const part = await web.crawl(["a.test/"], [...flags, "-n", "11", "--lanes", lanes]);
      assert.equal(part.summary?.pages, 11);
      for (const name of ["crawl.db", "index", "frontier", "links", "texts"]) {
        rmSync(join(part.folder, name), { recursive: true });
      }
      const { rebuilt, summary, fetched } = await rebuildAndGoOn(web, part.folder, lanes, before);
      // A crawl that was stopped has not decided all of its links.
      const queued = part.summary?.queued ?? 0;
      assert.ok(queued > 0 && Number(rebuilt["waiting"]) >= queued, `${rebuilt["waiting"]} wait`);
      assert.deepEqual(Object.keys(fetched).sort(), due);
      const twice = Object.keys(fetched).filter((place) => fetched[place] !== 1);
      const lost = (rebuilt["lostUrls"] as string[]).map((url) =>
        url.replace(/^http:\/\/|:\d+/g, ""),
      );
      assert.deepEqual(twice, lost, "only pages without a body are fetched again");
      for (const name of ["pages", "status", "duplicates", "nearDuplicates"]) {
        const expected = (whole.summary as unknown as Record<string, unknown>)[name];
        assert.deepEqual(summary[name], expected, name);
      }
      assert.equal(existsSync(join(part.folder, "rebuild")), false);
      assert.equal(existsSync(join(part.folder, "damaged")), false);
    }
  });
});

test("pages to which only a lost page leads are known after a rebuild", async () => {
  await withWeb(SITE, async (web) => {
    const part = await web.crawl(["a.test/"], ["--scope", "any", "-n", "20"]);
    const before = times(web, 0);
    assert.equal(before["a.test/11"], 1, "a page to which only one leads that is not archived");
    const { rebuilt, fetched } = await rebuildAndGoOn(web, part.folder, "2", 0);
    assert.match(String(rebuilt["lostUrls"]), /^[^,]*\/5$/);
    const twice = Object.keys(fetched).filter((place) => fetched[place] !== 1);
    assert.deepEqual(twice, ["a.test/5"]);
    assert.equal(Object.keys(fetched).length, PAGES + 4);
  });
});

test("a rebuild leaves files of the user alone, and names what is in the way of its own", async () => {
  await withWeb(SITE, async (web) => {
    const { folder } = await web.crawl(["a.test/"], ["--scope", "any", "-n", "3"]);
    const notes = ["index/pages.cdx", "links/notes.txt", "frontier/mine/list"];
    mkdirSync(join(folder, "frontier/mine"));
    for (const name of notes) writeFileSync(join(folder, name), name);
    // Neither is a file that can be listed and read.
    rmSync(join(folder, "frontier/queues/takes.log"));
    symlinkSync("nowhere", join(folder, "frontier/queues/takes.log"));
    const rebuilt = await ask(["store", "verify", "--rebuild", "--json", "-o", folder]);
    assert.equal(rebuilt.code, 0, rebuilt.said);
    for (const name of notes) assert.equal(readFileSync(join(folder, name), "utf8"), name);
    const clean = await ask(["store", "verify", "--json", "-o", folder]);
    assert.deepEqual(clean.found["problems"], [], clean.said);

    const elsewhere = join(web.folder, "elsewhere");
    cpSync(join(folder, "frontier"), elsewhere, { recursive: true });
    rmSync(join(folder, "frontier"), { recursive: true });
    symlinkSync(elsewhere, join(folder, "frontier"));
    const refused = await ask(["store", "verify", "--rebuild", "-o", folder]);
    assert.equal(refused.code, 2, refused.said);
    assert.match(refused.said, /cannot be rebuilt: frontier is in the way/);
    assert.equal(existsSync(join(folder, "rebuild.json")), false, "nothing was begun");
  });
});

test("a rebuild removes what replacements of files left that a kill interrupted", async () => {
  await withWeb(SITE, async (web) => {
    const { folder } = await web.crawl(["a.test/"], ["--scope", "any", "-n", "3"]);
    const left = ["links/graph/.runs.tmp", "frontier/sieve/.text.manifest.tmp"];
    for (const name of left) writeFileSync(join(folder, name), "half");
    const rebuilt = await ask(["store", "verify", "--rebuild", "--json", "-o", folder]);
    assert.equal(rebuilt.code, 0, rebuilt.said);
    for (const name of left) assert.equal(existsSync(join(folder, name)), false, name);
  });
});

test("robots.txt files and sitemaps are known after a rebuild", async () => {
  const site: Hosts = (port) => {
    const at = (path: string): string => `http://a.test:${port}${path}`;
    const listed = ["/1", "/2", "/3"].map((path) => `<url><loc>${at(path)}</loc></url>`);
    const moved = { status: 302, headers: [["Location", at("/rules")]] as const };
    const pages = {
      "/robots.txt": moved,
      "/rules": { body: `User-agent: *\nDisallow: /2\nSitemap: ${at("/map.xml")}` },
      "/map.xml": { body: `<urlset>${listed.join("")}</urlset>` },
      ...{ "/": linking("/4"), "/1": linking("/5"), "/2": linking(), "/3": linking() },
      ...{ "/4": linking("/2"), "/5": linking() },
    };
    return { "a.test": { pages } };
  };
  await withWeb(site, async (web) => {
    const part = await web.crawl(
      ["a.test/"],
      ["--scope", "any", "--set", "sitemaps=true", "-n", "2"],
    );
    assert.equal(part.summary?.pages, 2);
    await rebuildAndGoOn(web, part.folder, "1", 0);
    const asked = web.entries.map(({ target }) => target).toSorted();
    const once = ["/", "/1", "/3", "/4", "/5", "/map.xml", "/robots.txt", "/rules"];
    assert.deepEqual(asked, once);
  });
});

test("damage to archive and log is cut, and its pages are fetched again", async () => {
  await withWeb(SITE, async (web) => {
    await web.crawl(["a.test/"], ["--scope", "any"]);
    const due = Object.keys(times(web, 0)).sort();
    const part = await web.crawl(["a.test/"], ["--scope", "any", "-n", "11"]);
    const [warc = ""] = readdirSync(join(part.folder, "warc"));
    const damages: Record<string, (folder: string) => void> = {
      "an archive": (folder) => flip(join(folder, "warc", warc), 0.5),
      "an archive that is cut": (folder) => cut(join(folder, "warc", warc), 0.6),
      "an archive that is cut within its first record": (folder) =>
        truncateSync(join(folder, "warc", warc), 40),
      "an archive of which all is gone": (folder) => truncateSync(join(folder, "warc", warc)),
      "an archive that is gone": (folder) => rmSync(join(folder, "warc", warc)),
      "a line": (folder) => flip(join(folder, "logs/crawl.log"), 0.5),
      "a log that is cut": (folder) => cut(join(folder, "logs/crawl.log"), 0.3),
      "a log that is gone": (folder) => rmSync(join(folder, "logs"), { recursive: true }),
      "a manifest": (folder) => writeFileSync(join(folder, "logs/crawl.manifest"), "x"),
    };
    for (const [name, damage] of Object.entries(damages)) {
      const folder = join(web.folder, name.replaceAll(" ", "-"));
      cpSync(part.folder, folder, { recursive: true });
      damage(folder);
      const found = await ask(["store", "verify", "--json", "-o", folder]);
      assert.equal(found.code, 4, name);
      const from = web.asked.length;
      const { rebuilt, fetched } = await rebuildAndGoOn(web, folder, "1", from);
      const before = new Set(part.lines.map(({ url }) => url.replace(/^http:\/\/|:\d+/g, "")));
      const again = Object.keys(fetched).filter((place) => before.has(place));
      assert.deepEqual([...new Set([...before, ...Object.keys(fetched)])].sort(), due, name);
      assert.ok(
        Object.values(fetched).every((count) => count === 1),
        `${name}: ${JSON.stringify(fetched)}`,
      );
      const lost = (rebuilt["lostUrls"] as string[]).map((url) =>
        url.replace(/^http:\/\/|:\d+/g, ""),
      );
      if (!name.includes("log") && !name.includes("line")) {
        assert.deepEqual(again.sort(), lost.sort(), `${name}: ${JSON.stringify(rebuilt)}`);
      }
      for (const file of readdirSync(join(folder, "warc"))) {
        assert.ok(statSync(join(folder, "warc", file)).size > 0, `${name}: ${file} is empty`);
      }
      if (/gone|log that is cut/.test(name)) continue;
      assert.ok(readdirSync(join(folder, "damaged")).length > 0, name);
    }
  });
});

test("a rebuild that was interrupted goes on, and the crawl does not before", async () => {
  await withWeb(SITE, async (web) => {
    await web.crawl(["a.test/"], ["--scope", "any"]);
    const due = Object.keys(times(web, 0)).sort();
    const from = web.asked.length;
    const { folder } = await web.crawl(["a.test/"], ["--scope", "any", "-n", "11"]);
    flip(join(folder, "logs/crawl.log"), 0.5);
    const interrupted = async (phase: string, at: "told" | "fitted") => {
      const scratch = mkdtempSync(join(web.folder, "scratch-"));
      const stop = (): never => {
        throw new Error("the process was killed");
      };
      const options = {
        ...{ path: folder, version: "0.0.0", clock: new SystemClock(), scratch },
        ...{ report: assert.fail, told: () => undefined },
        fitted: (configuration: Configuration) => configuration,
      };
      await assert.rejects(DIRECTORY_CARE.rebuild({ ...options, [at]: stop }), /was killed/);
      const { phase: reached } = JSON.parse(readFileSync(join(folder, "rebuild.json"), "utf8"));
      assert.equal(reached, phase);
      const argv = ["crawl", ...web.flags, "--scope", "any", "-q", "-o", folder];
      const refused = await ask([...argv, web.url("a.test/")]);
      assert.equal(refused.code, 4);
      assert.match(refused.said, /store verify --rebuild/);
      const status = await ask(["status", "-o", folder]);
      assert.equal(status.code, 6);
      assert.match(status.said, /store verify --rebuild/);
    };
    await interrupted("salvage", "told");
    await interrupted("replay", "fitted");
    // Killed after the last move, before that was noted; and with some of the new files there.
    const { checksum: _, ...noted } = JSON.parse(
      readFileSync(join(folder, "rebuild.json"), "utf8"),
    );
    writeFileSync(join(folder, "rebuild.json"), printChecked({ ...noted, phase: "swap" }));
    await interrupted("replay", "fitted");
    mkdirSync(join(folder, "frontier"), { recursive: true });
    writeFileSync(join(folder, "frontier/torn"), "half");
    const { rebuilt, fetched } = await rebuildAndGoOn(web, folder, "1", from);
    assert.ok(Number(rebuilt["lost"]) > 0, "a page that is not archived");
    assert.equal((rebuilt["lostUrls"] as string[]).length, rebuilt["lost"], "all are listed");
    assert.deepEqual(Object.keys(fetched).sort(), due);
    assert.ok(
      Object.values(fetched).filter((count) => count > 1).length <= 1,
      "the page of the line",
    );
  });
});

function flip(path: string, share: number): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length * share);
  bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
  writeFileSync(path, bytes);
}

function cut(path: string, share: number): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * share)));
}
