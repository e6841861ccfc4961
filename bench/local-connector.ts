/**
 * Claim: a local connector passes at least 5 M items a second in batches of 100 and 1 M singly, in one
 * thread. Items are offered through an inlet and taken through an outlet; the reference is a bare array
 * that is filled with 100 items and emptied from its end, the least that passing items can cost. The thesis
 * needed 12 µs for an item (its table 6.2).
 *
 * `node bench/local-connector.ts [items] [rounds]`
 */
import { LocalConnector } from "../src/topology/connector/index.ts";
import { itemType } from "../src/topology/items/index.ts";
import { printTable } from "./support/unit-table.ts";
import { benchPages } from "./support/urls.ts";

const [ITEMS = 2_000_000, ROUNDS = 9] = process.argv.slice(2).map(Number);
const BATCH = 100;
const URLS = benchPages(BATCH, 1).map(({ href }) => href);
const Url = itemType<string>("bench/url");

function singly(): number {
  const connector = new LocalConnector(Url, { capacity: 1024 });
  const [inlet, outlet] = [connector.openInlet(), connector.openOutlet("bench")];
  const block: string[] = [""];
  let length = 0;
  for (let at = 0; at < ITEMS; at += 1) {
    block[0] = URLS[at % BATCH] as string;
    inlet.tryOffer(block);
    length += outlet.tryTake()?.length ?? 0;
  }
  return length > 0 ? ITEMS : Number.NaN;
}

function inBatches(isTee: boolean): number {
  const connector = new LocalConnector(Url, { capacity: 1024, isTee });
  const [inlet, outlet] = [connector.openInlet(), connector.openOutlet("bench")];
  const taken: string[] = [];
  let count = 0;
  while (count < ITEMS) {
    inlet.tryOffer(URLS);
    taken.length = 0;
    count += outlet.takeInto(taken, BATCH);
  }
  return count;
}

function bareArray(): number {
  const line: string[] = [];
  let length = 0;
  for (let count = 0; count < ITEMS; count += BATCH) {
    for (const url of URLS) line.push(url);
    while (line.length > 0) length += line.pop()?.length ?? 0;
  }
  return length > 0 ? ITEMS : Number.NaN;
}

const thesisUs = 12;
await printTable(
  [
    { name: "batches of 100", run: () => inBatches(false), promised: 5e6, thesisUs },
    { name: "singly", run: singly, promised: 1e6, thesisUs },
    { name: "batches of 100, as a tee", run: () => inBatches(true) },
    { name: "a bare array", run: bareArray },
  ],
  ROUNDS,
);
