/**
 * URLs are ASCII; what people write is not. Arguments are converted to the form that they have in a
 * URL when the filter is loaded, so that nothing has to be decoded when it is applied.
 */
import { domainToASCII } from "node:url";
import { ArgumentMistake } from "./atom.ts";

/** Percent-encodes what a path cannot hold as it is; spaces too. */
export function asciiPath(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]+/g, (part) =>
    encodeURIComponent(part.replaceAll(/\p{Cs}/gu, "\ufffd")),
  );
}

/**
 * A host, or a part of one, in lower case and with international labels in their ASCII form. It
 * goes label by label, so that suffixes (`.рф`) and constraints (`-рф.*`) are converted, too.
 */
export function asciiHost(text: string, index: number): string {
  const ascii = isAscii(text) ? text : text.split(".").map(asciiLabel).join(".");
  if (isAscii(ascii)) return ascii.toLowerCase();
  throw new ArgumentMistake(`"${text}" is not a host name or part of one`, index);
}

function asciiLabel(label: string): string {
  if (label === "" || isAscii(label)) return label;
  const sign = label.startsWith("-") ? "-" : "";
  // An empty answer means that the label is not allowed; a blank in its place is noticed above.
  return sign + (domainToASCII(label.slice(sign.length)) || " ");
}

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
