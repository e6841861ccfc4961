/** What is sent of a page whose body stays: see `kept-page.ts`. */
import { ByteWriter } from "../../../topology/items/index.ts";
import { KEPT_PAGE, type KeptPage } from "../../recovery/kept-page.ts";

const writer = new ByteWriter();

/** One line of printable ASCII. */
export function printKeptPage({ reason, headers, parsed }: KeptPage): string {
  const bare = parsed && { ...parsed, text: "", words: null, declared: null, failure: null };
  writer.reset();
  KEPT_PAGE.write({ reason, headers, parsed: bare }, writer);
  return Buffer.from(writer.written).toString("base64");
}
