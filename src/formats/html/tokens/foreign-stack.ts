/**
 * The open elements from the outermost `svg` or `math` inwards: what the standard's tree builder
 * needs to know to tell foreign content from HTML inside it. Elements outside are not kept, only
 * counted by name, because an end tag of theirs leaves the foreign content.
 *
 * Elements nested deeper than 64 are treated as if they were not there, as browsers do from 512 on:
 * so no tag costs more than that many steps.
 */
import { OpenCounts } from "./open-counts.ts";

/** An HTML element; always above an integration point. */
export const HTML_NODE = 0;
/** An SVG or MathML element whose content is foreign. */
export const FOREIGN_NODE = 1;
/** A foreign element whose content is HTML: `foreignObject`, `desc`, SVG's `title`. */
export const HTML_POINT = 2;
/** A MathML element whose text is HTML: `mi`, `mo`, `mn`, `ms`, `mtext`. */
export const TEXT_POINT = 3;
/** `annotation-xml`, in which an `svg` is SVG. */
export const ANNOTATION = 4;

const DEPTH_MAX = 64;

export class ForeignStack {
  readonly #ids = new Uint8Array(DEPTH_MAX);
  readonly #hashes = new Int32Array(DEPTH_MAX);
  readonly #kinds = new Uint8Array(DEPTH_MAX);
  readonly #isMath = new Uint8Array(DEPTH_MAX);
  /** The elements outside. */
  readonly outside: OpenCounts = new OpenCounts();
  depth = 0;
  /** Nodes walked over: part of the measure of the linear-time test. */
  steps = 0;

  clear(): void {
    this.depth = 0;
    this.steps = 0;
    this.outside.clear();
  }

  get topKind(): number {
    return this.depth === 0 ? HTML_NODE : (this.#kinds[this.depth - 1] as number);
  }

  get topIsMath(): boolean {
    return this.depth > 0 && this.#isMath[this.depth - 1] === 1;
  }

  get topId(): number {
    return this.depth === 0 ? 0 : (this.#ids[this.depth - 1] as number);
  }

  idAt(index: number): number {
    return this.#ids[index] as number;
  }

  hashAt(index: number): number {
    return this.#hashes[index] as number;
  }

  kindAt(index: number): number {
    return this.#kinds[index] as number;
  }

  push(node: { id: number; hash: number; kind: number; isMath: boolean }): void {
    if (this.depth === DEPTH_MAX) return;
    this.#ids[this.depth] = node.id;
    this.#hashes[this.depth] = node.hash;
    this.#kinds[this.depth] = node.kind;
    this.#isMath[this.depth] = node.isMath ? 1 : 0;
    this.depth++;
  }

  popTo(depth: number): void {
    this.steps += this.depth - depth;
    this.depth = depth;
  }

  /** Takes one node out of the middle. */
  remove(index: number): void {
    this.#ids.copyWithin(index, index + 1, this.depth);
    this.#hashes.copyWithin(index, index + 1, this.depth);
    this.#kinds.copyWithin(index, index + 1, this.depth);
    this.#isMath.copyWithin(index, index + 1, this.depth);
    this.depth--;
  }

  isNamed(index: number, hash: number): boolean {
    this.steps++;
    return this.#hashes[index] === hash;
  }
}
