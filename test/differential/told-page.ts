/**
 * What a sink was told of a page, in a form that can be compared: pieces of one text joined, however
 * they were cut.
 */
import type { PageSink } from "../../src/formats/html/index.ts";

export class ToldPage implements PageSink {
  readonly #told: string[] = [];
  #text = "";

  openTag(tag: number): void {
    this.#add(`open ${tag}`);
  }

  closeTag(tag: number): void {
    this.#add(`close ${tag}`);
  }

  frameSource(bytes: Uint8Array, from: number, to: number): void {
    this.#add(`frame ${Buffer.from(bytes.subarray(from, to)).toString("latin1")}`);
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.#text += Buffer.from(bytes.subarray(from, to)).toString("latin1");
  }

  /** Tags, texts and where frames point, in order; bytes as characters. */
  get all(): readonly string[] {
    this.#flush();
    return this.#told;
  }

  #add(what: string): void {
    this.#flush();
    this.#told.push(what);
  }

  #flush(): void {
    if (this.#text !== "") this.#told.push(`text ${this.#text}`);
    this.#text = "";
  }
}
