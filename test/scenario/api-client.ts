/** A client of the API of a running crawl, which finds it as any program does: by its directory. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CrawlSummary } from "../../src/agent/index.ts";

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  /** What tests know of it they assert; bytes where it is not JSON. */
  readonly body: unknown;
}

export class ApiClient {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly tokenFile: string;
  readonly token: string;

  constructor(folder: string) {
    const text = readFileSync(join(folder, "api.json"), "utf8");
    const { url, token } = JSON.parse(text) as { readonly url: string; readonly token: string };
    this.url = url;
    this.tokenFile = resolve(folder, token);
    this.token = readFileSync(this.tokenFile, "utf8").trim();
  }

  static isThere(folder: string): boolean {
    return existsSync(join(folder, "api.json"));
  }

  /** That of a crawl which is being started in this process. */
  static async opened(folder: string): Promise<ApiClient> {
    while (!ApiClient.isThere(folder)) await new Promise((resolve) => setImmediate(resolve));
    return new ApiClient(folder);
  }

  /** Asks for the status until it is as told. */
  async statusWhen(isSo: (summary: CrawlSummary) => boolean): Promise<CrawlSummary> {
    for (;;) {
      const summary = (await this.get("/status")).body as CrawlSummary;
      if (isSo(summary)) return summary;
    }
  }

  get(path: string): Promise<ApiReply> {
    return this.ask("GET", path);
  }

  async ask(method: string, path: string, body?: unknown): Promise<ApiReply> {
    const headers = { Authorization: `Bearer ${this.token}`, "Content-Type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${this.url}/api/v1${path}`, { method, headers, ...sent });
    const { status, headers: got } = response;
    const isJson = got.get("content-type") === "application/json";
    const text = Buffer.from(await response.arrayBuffer());
    return { status, headers: got, body: isJson ? JSON.parse(text.toString()) : text };
  }
}
