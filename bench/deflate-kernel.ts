/**
 * Claim: the deflate kernel takes at most half of the time of zlib's level 3, for at most a twentieth
 * more bytes, on each of four sets of pages. Both compress the same pages with a kept compressor, in
 * rounds that are interleaved; processor time of the thread, the lower quartile of the rounds. Beside
 * the four sets, the HTML files below other folders are tried if some are given. With pairs of crawls,
 * whole crawls with the kernel are compared with crawls at level 3, in user time.
 * `node bench/deflate-kernel.ts [--rounds 7] [--manuals /usr/share/doc] [--pairs 0] [--urls 8000]`
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { constants, createDeflateRaw } from "node:zlib";
import { threadKernels } from "../src/base/kernels/index.ts";
import { ZlibHandle } from "../src/base/zlib/index.ts";
import { PAGE_SETS, writtenPages } from "../test/support/formats/page-sets.ts";
import { crawlPairs, shareOf, spreadOf } from "./support/crawl-cost.ts";

const TIME_PROMISED = 0.5;
const BYTES_PROMISED = 1.05;
const LEVEL = 3;
const OUTPUT_BYTES = 300_000;
/** Processor time of a thread is counted in steps of some milliseconds: a sample has many of them. */
const REPEATS = 10;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    manuals: { type: "string", multiple: true, default: [] },
    pairs: { type: "string", default: "0" },
    urls: { type: "string", default: "8000" },
  },
});

/** Returns how many bytes come out. */
type Compressor = (page: Uint8Array) => number;

function zlib(): Compressor {
  const handle = new ZlibHandle(createDeflateRaw({ level: LEVEL }));
  const output = new Uint8Array(OUTPUT_BYTES);
  return (page) => {
    handle.write(constants.Z_FINISH, page, 0, page.length, output, 0);
    handle.reset();
    return handle.producedBytes;
  };
}

/** Microseconds of processor time a page, and bytes of all pages. */
function packed(pages: readonly Buffer[], compress: Compressor): { us: number; bytes: number } {
  let bytes = 0;
  const started = process.threadCpuUsage();
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const page of pages) bytes += compress(page);
  }
  const { user, system } = process.threadCpuUsage(started);
  return { us: (user + system) / pages.length / REPEATS, bytes };
}

const reference = zlib();
const kernel: Compressor = (page) => threadKernels().deflate(page).length;
const others = values.manuals.map(
  (folder) => [folder, () => writtenPages([`${folder}/**/*.html`])] as const,
);
for (const [name, pagesOf] of [...Object.entries(PAGE_SETS), ...others]) {
  const pages = pagesOf();
  const times: { ours: number[]; zlib: number[] } = { ours: [], zlib: [] };
  let bytesRatio = 0;
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const theirs = packed(pages, reference);
    const ours = packed(pages, kernel);
    bytesRatio = ours.bytes / theirs.bytes;
    // The first round is for the compiler.
    if (round === 0) continue;
    times.zlib.push(theirs.us);
    times.ours.push(ours.us);
  }
  const [ourUs, zlibUs] = [shareOf(times.ours, 0.25), shareOf(times.zlib, 0.25)];
  const isKept = ourUs / zlibUs <= TIME_PROMISED && bytesRatio <= BYTES_PROMISED;
  console.log(
    `${name.padEnd(20)} ${String(pages.length).padStart(4)} pages: ${ourUs.toFixed(0)} and ` +
      `${zlibUs.toFixed(0)} µs, ratio ${(ourUs / zlibUs).toFixed(2)}; bytes ` +
      `${bytesRatio.toFixed(3)} (${isKept ? "kept" : "BROKEN"})`,
  );
}

const counts = { pairs: Number(values.pairs), urls: Number(values.urls) };
if (counts.pairs > 0) {
  const checkout = resolve(import.meta.dirname, "..");
  const ratios: number[] = [];
  const ways = [
    { checkout, settings: [] },
    { checkout, settings: [`store.level=${LEVEL}`] },
  ] as const;
  await crawlPairs(ways, counts, (pair, own, level) => {
    ratios.push(own.user / level.user);
    console.log(
      `pair ${pair}: ${own.pages} and ${level.pages} pages, user ${own.user.toFixed(0)} and ` +
        `${level.user.toFixed(0)} µs a page`,
    );
  });
  console.log(`user time of crawls: ${spreadOf(ratios, 3)}`);
}
