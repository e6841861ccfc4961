/**
 * Whether generated webs have the statistics of the real one. The bounds are stated with what they
 * come from; seeds are fixed, so each test gives the same answer at every run.
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { answerTo, smallWeb } from "../../../../test/support/lab/small-web.ts";
import type { GeneratedWeb } from "../index.ts";
import { LinkList } from "../model/link-list.ts";

interface Counted {
  readonly web: GeneratedWeb;
  readonly inDegrees: Uint32Array;
  pages: number;
  links: number;
  foreign: number;
}

/** All links of a web of fifty thousand pages on five hundred hosts. */
function count(seed: number): Counted {
  const size = { hosts: { count: 500, pages: 50_000 } };
  const web = smallWeb("plain", seed, size);
  const { hosts, links } = web.model;
  const counted = {
    web,
    inDegrees: new Uint32Array(hosts.pageCount),
    pages: 0,
    links: 0,
    foreign: 0,
  };
  const list = new LinkList();
  for (let host = 0; host < hosts.count; host += 1) {
    for (let slot = 0; slot < hosts.size(host); slot += 1) {
      links.fill(host, slot, list);
      counted.pages += 1;
      counted.links += list.count;
      for (let at = 0; at < list.count; at += 1) {
        const target = hosts.offset(list.host(at)) + list.slot(at);
        counted.inDegrees[target] = (counted.inDegrees[target] ?? 0) + 1;
        if (list.host(at) !== host) counted.foreign += 1;
      }
    }
  }
  return counted;
}

for (const seed of [1, 2, 3]) {
  describe(`the links of web ${seed}`, () => {
    let counted: Counted;
    before(() => {
      counted = count(seed);
    });

    test("in-degree follows a power law with an exponent from 1.9 to 2.5 (measured: 2.1)", () => {
      for (const from of [20, 40, 80]) {
        const exponent = tailExponent(counted.inDegrees, from);
        assert.ok(exponent > 1.9 && exponent < 2.5, `${exponent} from ${from} on`);
      }
    });

    test("9 to 11 % of the links lead to another host (measured: 10 %)", () => {
      const share = counted.foreign / counted.links;
      assert.ok(share > 0.09 && share < 0.11, String(share));
    });

    test("a page has 8 to 16 links on average (the thesis says about 8, later ones more)", () => {
      const mean = counted.links / counted.pages;
      assert.ok(mean > 8 && mean < 16, String(mean));
    });

    test("every page is linked to", () => {
      assert.ok(counted.inDegrees.every((degree) => degree > 0));
    });

    test("sizes of hosts fall with their rank (Zipf), to within a tenth", () => {
      const { hosts } = counted.web.model;
      for (const rank of [1, 2, 5, 10, 50, 100]) {
        const ratio = (hosts.size(rank - 1) * 1) / (hosts.size(2 * rank - 1) * 2);
        assert.ok(Math.abs(ratio - 1) < 0.1, `${rank}: ${ratio}`);
      }
      assert.ok(Math.abs(hosts.pageCount / 50_000 - 1) < 0.01);
    });
  });
}

/** The maximum-likelihood estimate of the exponent over all degrees of at least `from`. */
function tailExponent(degrees: Uint32Array, from: number): number {
  const tail = degrees.filter((degree) => degree >= from);
  assert.ok(tail.length > 100, "the tail is long enough to say anything");
  const logarithms = tail.reduce((sum, degree) => sum + Math.log(degree / (from - 0.5)), 0);
  return 1 + tail.length / logarithms;
}

test("sizes of pages are log-normal with the profile's parameters, to within a tenth", () => {
  const pages = { medianBytes: 12_000, spread: 1, bytesMax: 1_000_000 };
  const web = smallWeb("plain", 7, { hosts: { count: 20, pages: 4000 }, pages });
  const { hosts } = web.model;
  const logarithms: number[] = [];
  for (let host = 0; host < hosts.count; host += 1) {
    for (let slot = 0; slot < hosts.size(host); slot += 2) {
      logarithms.push(Math.log(answerTo(web, web.model.url(host, slot)).body.length));
    }
  }
  logarithms.sort((one, other) => one - other);
  const quantile = (unit: number) => logarithms[Math.floor(unit * logarithms.length)] ?? 0;
  // One standard deviation above the median of a normal distribution lies at 0.8413.
  assert.ok(Math.abs(quantile(0.5) - Math.log(12_000)) < 0.1, String(Math.exp(quantile(0.5))));
  assert.ok(Math.abs(quantile(0.8413) - quantile(0.5) - 1) < 0.1);
  assert.ok(Math.abs(quantile(0.9772) - quantile(0.5) - 2) < 0.2);
});

test("most pages of a host are found within a few steps, and the deepest are not far", () => {
  const pages = 10_000;
  const web = smallWeb("plain", 1, { hosts: { count: 1, pages } });
  const { hosts, links } = web.model;
  const depths = new Int32Array(hosts.size(0)).fill(-1);
  const list = new LinkList();
  const queue = [0];
  depths[0] = 0;
  for (const slot of queue) {
    links.fill(0, slot, list);
    for (let at = 0; at < list.count; at += 1) {
      const target = list.slot(at);
      if (depths[target] !== -1) continue;
      depths[target] = (depths[slot] ?? 0) + 1;
      queue.push(target);
    }
  }
  assert.equal(queue.length, depths.length, "every page is found from the front page");
  const near = depths.filter((depth) => depth <= 4).length;
  assert.ok(near > depths.length / 2, `${near} of ${depths.length} within four steps`);
  assert.ok(Math.max(...depths) <= 6, `the deepest at ${Math.max(...depths)}`);
});

test("no two pages have the same text, even short ones", () => {
  const web = smallWeb("plain", 3, { hosts: { pages: 3000 }, pages: { medianBytes: 600 } });
  const { hosts } = web.model;
  const texts = new Set<string>();
  const beginnings = new Set<string>();
  let longer = 0;
  for (let host = 0; host < hosts.count; host += 1) {
    for (let slot = 0; slot < hosts.size(host); slot += 1) {
      const body = Buffer.from(answerTo(web, web.model.url(host, slot)).body).toString();
      const paragraphs = body.match(/<p>[^<]*<\/p>/g) ?? [];
      texts.add(`${host} ${paragraphs.join("")}`);
      // The last paragraph has the page's number; the others must differ by themselves.
      if (paragraphs.length <= 2) continue;
      longer += 1;
      beginnings.add(paragraphs.slice(0, -1).join("").slice(0, 2000));
    }
  }
  assert.equal(texts.size, hosts.pageCount);
  assert.ok(longer > 500, `${longer} pages have more than two paragraphs`);
  assert.ok(beginnings.size > longer * 0.999, `${beginnings.size} of ${longer}`);
});
