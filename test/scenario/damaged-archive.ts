/**
 * The archive of a crawl whose files were damaged, read by another program and compared with what the web
 * has: each page that is due is there once, with its true body, which a revisit takes from the page it names.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import type { Hosts } from "../support/agent/crawl-rig.ts";
import { recordsIn, type WarcioRead } from "../support/formats/warcio.ts";

/** `hosts` are what the web serves. */
export async function checkArchive(
  folder: string,
  hosts: ReturnType<Hosts>,
  due: number,
): Promise<void> {
  const pages = new Map<string, WarcioRead>();
  for (const name of readdirSync(join(folder, "warc"))) {
    for (const record of await recordsIn(plainBytes(join(folder, "warc", name)))) {
      const url = record.fields.get("WARC-Target-URI") ?? "";
      if (!/^(?:response|revisit)$/.test(record.type) || url.endsWith("/robots.txt")) continue;
      assert.ok(!pages.has(url), `${url} is in the archive twice`);
      pages.set(url, record);
    }
  }
  assert.equal(pages.size, due, "a page that is due is not in the archive");
  for (const [url, record] of pages) {
    const source = record.type === "response" ? record : pages.get(originalOf(record));
    assert.equal(source?.type, "response", `the original of ${url} is in the archive`);
    const { block } = source ?? assert.fail();
    const body = block.subarray(block.indexOf("\r\n\r\n") + 4).toString();
    const { hostname, pathname } = new URL(url);
    assert.equal(body, String(hosts[hostname]?.pages?.[pathname]?.body), `the body of ${url}`);
  }
}

function originalOf({ fields }: WarcioRead): string {
  return fields.get("WARC-Refers-To-Target-URI") ?? "";
}

function plainBytes(path: string): Uint8Array {
  const bytes = readFileSync(path);
  if (path.includes(".gz")) return gunzipSync(bytes);
  return path.includes(".zst") ? Buffer.concat(framesIn(bytes)) : bytes;
}

/** Node's function takes one frame; each record is one. */
function framesIn(bytes: Uint8Array): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    // The declarations do not know of what `info` adds.
    const found = zstdDecompressSync(bytes.subarray(at), { info: true }) as unknown as Frame;
    frames.push(found.buffer);
    at += found.engine.bytesWritten;
  }
  return frames;
}

interface Frame {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
