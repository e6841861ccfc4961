/** docs/api.md: its table is that of the server, and its examples are run on a crawl. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROUTES } from "../../src/api/routes/routes.ts";
import { crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { needsProgram } from "../support/requirement.ts";
import { ApiClient } from "./api-client.ts";

const PAGE = readFileSync("docs/api.md", "utf8");

test("the page lists every request, and no other", () => {
  const listed = [...PAGE.matchAll(/^\| `((?:GET|POST|PATCH) [^`]+)` \|/gm)].map(([, one]) => one);
  const known = ROUTES.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(listed.toSorted(), known.toSorted());
});

test("the examples of the page work on a crawl that runs", {
  skip: needsProgram("curl"),
}, async () => {
  const pages = { "/": linking("/1"), "/1": linking() };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const folder = join(web.folder, "crawl-example.org");
      const flags = [...web.flags, "--ignore-robots", "--delay", "1h", "--json", "--quiet"];
      const ended = crawlInto(folder, ["crawl", ...flags, "-o", folder, web.url("a.test/")]);
      await web.requests(1);
      const api = new ApiClient(folder);
      for (let pages = 0; pages === 0; ) {
        ({ pages } = (await api.get("/status")).body as { pages: number });
      }
      const [setUp = "", examples = ""] = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(
        ([, block]) => block,
      );
      const lines = examples.trim().split("\n");
      assert.ok(lines.length > 10, "the page has examples");
      const script = [
        setUp,
        "set -e",
        ...lines.map((line) => `echo; echo '# ${line.replaceAll("'", "")}'; ${line}`),
      ];
      const shell = spawn("bash", ["-c", script.join("\n")], { cwd: web.folder });
      let [said, trouble] = ["", ""];
      shell.stdout.on("data", (piece) => {
        said += String(piece);
      });
      shell.stderr.on("data", (piece) => {
        trouble += String(piece);
      });
      const [code] = await once(shell, "close");
      assert.equal(code, 0, said + trouble);
      assert.match(said, /"state":"paused"/);
      assert.match(said, /"fate":"added"/);
      assert.match(said, /"host":"calendar\.example\.org","known":false,"blocked":true/);
      assert.match(said, /trobar_pages_total 1/);
      assert.equal((await ended).code, 130);
    },
  );
});
