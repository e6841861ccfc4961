/** What a server says when it is asked for a slot: an answer for every role. */
import type { Header } from "../../../base/seams/index.ts";
import { type Chance, mix, threshold } from "../model/chance.ts";
import { isRedirect, nextHop } from "../model/redirects.ts";
import { type Role, roleFacts } from "../model/role.ts";
import { folderOf } from "../model/slot-paths.ts";
import type { WebModel } from "../model/web-model.ts";
import { PageRenderer } from "../pages/page-renderer.ts";
import { relativePath } from "../pages/url-speller.ts";
import { answer, errorAnswer, redirectAnswer, resetAnswer } from "./answer.ts";
import {
  type Coded,
  compressed,
  compressedBadly,
  compressedBomb,
  compressedTwice,
} from "./content-coding.ts";
import type { WebResponse } from "./synthetic-web.ts";

export interface SlotRequest {
  readonly host: number;
  readonly slot: number;
  readonly variant: number;
  readonly headers: readonly Header[];
  readonly earlierTries: number;
}

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
const FILE_BYTES_MAX = 64 * 1024;

export class SlotAnswers {
  readonly #model: WebModel;
  readonly #renderer: PageRenderer;
  readonly #chance: { detail: Chance; compressed: Chance };
  readonly #compressedShare: number;

  constructor(model: WebModel) {
    this.#model = model;
    this.#renderer = new PageRenderer(model);
    this.#chance = { detail: model.chance("detail"), compressed: model.chance("compressed") };
    this.#compressedShare = threshold(model.profile.text.compressed);
  }

  answer(request: SlotRequest): WebResponse {
    const { hosts, slots } = this.#model;
    const content = hosts.contentOf(request.host);
    const role = slots.role(content, request.slot);
    const detail = this.#chance.detail.one(content, request.slot);
    if (isRedirect(role)) return this.#redirect(request, detail);
    const passesAfter = slots.failingTries(content, request.slot);
    switch (role) {
      case "throttled":
        return request.earlierTries < passesAfter ? throttled(detail) : this.#page(request, role);
      case "reset":
        return request.earlierTries < passesAfter ? resetAnswer() : this.#page(request, role);
      case "throttled-for-good":
        return throttled(detail);
      case "reset-for-good":
        return resetAnswer();
      case "missing":
        return errorAnswer(404);
      case "gone":
        return errorAnswer(410);
      case "forbidden":
        return errorAnswer((detail & 1) === 0 ? 403 : 401);
      case "broken":
        return errorAnswer(500);
      case "image":
      case "binary":
        return this.#file(content, request.slot, role);
      case "empty":
        return answer((detail & 1) === 0 ? 200 : 204, [["Content-Type", "text/html"]]);
      case "text":
        return plainText(content, request.slot);
      case "bomb":
        return coded(compressedBomb(request.headers), [["Content-Type", "text/html"]]);
      default:
        return this.#page(request, role);
    }
  }

  #page(request: SlotRequest, role: Role): WebResponse {
    const { host, slot } = request;
    const content = this.#model.hosts.contentOf(host);
    const page = this.#renderer.render(host, slot);
    const detail = this.#chance.detail.one(content, slot);
    const type = role === "odd-type" ? oddType(detail) : page.contentType;
    const own: Header[] = type === null ? [] : [["Content-Type", type]];
    own.push(...page.headers);
    const { oddity = null } = roleFacts(role);
    return { ...coded(this.#code(page.body, content, request, role), own), oddity };
  }

  #code(body: Uint8Array, content: number, { slot, headers }: SlotRequest, role: Role): Coded {
    // A copy is sent as its original is, so that they are equal on the wire too.
    const source = this.#model.slots.originalOf(content, slot);
    const word = this.#chance.compressed.one(content, source);
    if (role === "double-encoding") return compressedTwice(body, headers);
    if (role === "broken-encoding") return compressedBadly(body, word, headers);
    if (this.#compressedShare === 0 || roleFacts(role).isUncertain) return { body, headers: [] };
    const isCompressed = this.#chance.compressed.one(content, -1 - source) < this.#compressedShare;
    return isCompressed ? compressed(body, word, headers) : { body, headers: [] };
  }

  #redirect(request: SlotRequest, detail: number): WebResponse {
    const { host, slot, variant } = request;
    const { hosts, paths } = this.#model;
    const status = REDIRECT_STATUSES[detail % REDIRECT_STATUSES.length] ?? 302;
    const next = nextHop(this.#model, request);
    if (next === null) return oddRedirect(status, detail >>> 8);
    const url = this.#model.url(next.host, next.slot, next.variant);
    if (next.host !== host) return redirectAnswer(status, url);
    const content = hosts.contentOf(host);
    const target = paths.target(content, next.slot, next.variant);
    // A circle must close whatever the host is called in the URL: its name is left out.
    if (this.#model.slots.role(content, slot) === "redirect-loop") {
      return redirectAnswer(status, target);
    }
    const folder = folderOf(paths.target(content, slot, variant));
    const forms = [url, target, relativePath(target, folder), `${url}#there`, url.slice(5)];
    return redirectAnswer(status, forms[(detail >>> 8) % forms.length] ?? url);
  }

  #file(content: number, slot: number, role: "image" | "binary"): WebResponse {
    const isPdf = (slot & 1) === 0;
    const [type, mark] =
      role === "image"
        ? ["image/png", "\x89PNG\r\n\x1a\n"]
        : isPdf
          ? ["application/pdf", "%PDF-1.4\n"]
          : ["application/zip", "PK\x03\x04"];
    const length = Math.min(FILE_BYTES_MAX, this.#renderer.sizeOf(content, slot));
    return answer(200, [["Content-Type", type]], noiseBytes(mark, length, content, slot));
  }
}

function coded({ body, headers }: Coded, own: readonly Header[]): WebResponse {
  return answer(200, [...own, ...headers], body);
}

function plainText(content: number, slot: number): WebResponse {
  const lines = [`This is text number ${slot} of ${content}.`];
  for (let line = 0; line < 50; line += 1) lines.push(`${line}: ${mix(slot * 64 + line) >>> 0}`);
  return answer(200, [["Content-Type", "text/plain"]], Buffer.from(`${lines.join("\n")}\n`));
}

/** With Retry-After in seconds, as a date that has passed, as nonsense, or without. */
function throttled(detail: number): WebResponse {
  const status = (detail & 1) === 0 ? 429 : 503;
  const forms = ["1", "0", "Wed, 21 Oct 2015 07:28:00 GMT", "soon", null, null];
  const form = forms[(detail >>> 1) % forms.length] ?? null;
  return errorAnswer(status, form === null ? [] : [["Retry-After", form]]);
}

function oddType(detail: number): string | null {
  const forms = [null, "application/octet-stream", "text/plain", "application/xhtml+xml", "html"];
  return forms[detail % forms.length] ?? null;
}

function oddRedirect(status: number, detail: number): WebResponse {
  const forms = [
    "mailto:someone@example.test",
    "ftp://ftp.example.test/",
    "http://[nonsense/",
    null,
  ];
  const location = forms[detail % forms.length] ?? null;
  const headers: Header[] = location === null ? [] : [["Location", location]];
  return errorAnswer(status, headers);
}

function noiseBytes(mark: string, length: number, content: number, slot: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Math.max(16, Math.ceil(length / 4) * 4));
  const start = mix(Math.imul(content, 0x9e3779b1) ^ slot);
  for (let at = 0; at < bytes.length; at += 4) bytes.writeInt32LE(mix(start + at), at);
  bytes.write(mark, 0, "latin1");
  return bytes;
}
