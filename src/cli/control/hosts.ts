/**
 * `trobar hosts`: the hosts of a running crawl and how they stand; `hosts block`, `unblock` and `purge`
 * change one of them.
 */
import { printable } from "../../base/text/index.ts";
import { amount, durationText, plural } from "../crawl/figures.ts";
import { readWords } from "../shell/command-words.ts";
import { EXIT } from "../shell/exit-code.ts";
import type { Terminal } from "../shell/terminal.ts";
import { findCrawl, running, titled } from "./find-crawl.ts";

interface Host {
  readonly host: string;
  readonly state: string;
  readonly pages: number;
  readonly queued: number;
  readonly delayMs: number;
  readonly aliasOf: string | null;
  readonly end: string | null;
  /** Null for a crawl that is alone. */
  readonly agent: string | null;
}

interface HostPage {
  readonly hosts: readonly Host[];
  readonly cursor: string | null;
  /** Agents whose hosts are not among them. */
  readonly missing: readonly { readonly agent: string; readonly why: string }[];
}

interface ChangedHost {
  readonly host: string;
  readonly known: boolean;
  readonly purged: number;
  readonly queued: number;
}

const SHOWN = "50";

export async function hosts(args: readonly string[], terminal: Terminal): Promise<number> {
  const given = readWords("hosts", args, 0, 0);
  const query = new URLSearchParams({ limit: given.value("limit") ?? SHOWN });
  for (const name of ["match", "state", "sort", "after"]) {
    const value = given.value(name);
    if (value !== null) query.set(name, value);
  }
  const client = running(await findCrawl(given, terminal));
  const page = (await client.ask("GET", `/hosts?${query}`)) as HostPage;
  terminal.out(given.has("json") ? `${JSON.stringify(page)}\n` : tableOf(page));
  for (const { agent, why } of page.missing ?? []) {
    terminal.err(
      `trobar: agent ${printable(agent)} has not answered (${printable(why)}); its hosts are not shown\n`,
    );
  }
  return EXIT.finished;
}

export async function blockHost(args: readonly string[], terminal: Terminal): Promise<number> {
  return await change("hosts block", { block: true }, args, terminal);
}

export async function unblockHost(args: readonly string[], terminal: Terminal): Promise<number> {
  return await change("hosts unblock", { block: false }, args, terminal);
}

export async function purgeHost(args: readonly string[], terminal: Terminal): Promise<number> {
  return await change("hosts purge", { purge: true }, args, terminal);
}

/** A host that was not met yet may be changed too: it is then said that it was not. */
async function change(
  name: string,
  body: { readonly block?: boolean; readonly purge?: boolean },
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const given = readWords(name, args, 1, 1);
  const [host = ""] = given.words;
  const client = running(await findCrawl(given, terminal));
  const path = `/hosts/${encodeURIComponent(host)}`;
  const changed = (await client.ask("PATCH", path, body)) as ChangedHost;
  terminal.out(given.has("json") ? `${JSON.stringify(changed)}\n` : changedText(body, changed));
  return EXIT.finished;
}

function changedText(
  { block, purge }: { readonly block?: boolean; readonly purge?: boolean },
  { host, known, purged, queued }: ChangedHost,
): string {
  const what = purge
    ? `${plural(purged, "URL")} refused`
    : block
      ? `blocked, ${plural(queued, "URL")} wait`
      : `no longer blocked, ${plural(queued, "URL")} wait`;
  return titled(host, known ? what : `${what}; the crawl has not met this host yet`);
}

function tableOf({ hosts: shown, cursor }: HostPage): string {
  const rows = shown.map(({ host, state, pages, queued, delayMs, agent, aliasOf, end }) => [
    host,
    end === null ? state : `${state} (${end})`,
    ...[amount(pages), amount(queued), durationText(delayMs), agent ?? "", aliasOf ?? ""],
  ]);
  const titles = ["host", "state", "pages", "queued", "delay"];
  titles.push(shown.some(({ agent }) => agent != null) ? "agent" : "");
  titles.push(shown.some(({ aliasOf }) => aliasOf !== null) ? "alias of" : "");
  const table = [titles, ...rows];
  const widths = titles.map((_title, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  const lines = table.map((row) =>
    printable(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).trimEnd(),
  );
  const more = cursor === null ? [] : [printable(`more with --after ${cursor}`)];
  return `${[...lines, ...more].join("\n")}\n`;
}
