/**
 * A row as filters see it. Of headers only the media type is known, and nothing of the body: atoms
 * that look at more find nothing there.
 */
import type { FetchableUrl } from "../../../formats/url/index.ts";
import { digestBytes } from "../../../formats/warc/index.ts";
import { FetchableView, type PageView, type UrlView } from "../../../rules/filter/index.ts";
import type { PageRow } from "../page-row.ts";

const NO_BYTES = new Uint8Array(0);

export class RowView extends FetchableView implements PageView {
  readonly #row: PageRow;

  constructor(row: PageRow) {
    super(row.url as FetchableUrl);
    this.#row = row;
  }

  get depth(): number {
    return this.#row.depth;
  }

  get source(): UrlView | undefined {
    const { via } = this.#row;
    return via === null ? undefined : new FetchableView(via as FetchableUrl);
  }

  get status(): number {
    return this.#row.status;
  }

  get bodyBytes(): number {
    return this.#row.bytes;
  }

  get language(): string {
    return this.#row.language ?? "";
  }

  get digest(): string {
    const { digest } = this.#row;
    const bytes = digest === null ? null : digestBytes(digest);
    return bytes === null ? "" : Buffer.from(bytes).toString("hex");
  }

  get isDuplicate(): boolean {
    return this.#row.duplicateOf !== null;
  }

  get isNearDuplicate(): boolean {
    return this.#row.nearDuplicateOf !== null;
  }

  header(name: string): string | undefined {
    return name === "content-type" ? (this.#row.mime ?? undefined) : undefined;
  }

  bodyPrefix(): Uint8Array {
    return NO_BYTES;
  }
}
