/**
 * XML's references: the five named ones and numbers. An `&` that begins none of them stands for
 * itself, since people forget to escape it in URLs. Entities that a file declares are never
 * expanded, since that is how a small file becomes a huge one.
 */

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

export function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, reference);
}

function reference(whole: string, name?: string, decimal?: string, hexadecimal?: string): string {
  if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
