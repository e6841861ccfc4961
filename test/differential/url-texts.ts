/**
 * Texts that are, or nearly are, URLs: made from the pieces on which parsers differ, and by
 * damaging given texts. All of it from a seed.
 */
import type { Random } from "../../src/base/seams/index.ts";

/** Each means something to some part of a URL parser, or to a rule of the key. */
const PIECES: readonly string[] = [
  ...["http:", "https:", "HTTP:", "hTtPs:", "ftp:", "mailto:", "javascript:", "file:", "x:", "://"],
  ...["/", "/", "/", "//", "\\", "?", "?", "#", "@", ":", ".", "..", "./", "../", "/../", "/./"],
  ...["%2e", "%2E", ".%2e", "%2e%2E/", "%", "%6", "%41", "%7e", "%5f", "%c3%a9", "%C3%A9", "%2f"],
  ...["%2F", "%25", "%%36%35", "%zz", "%u1234", "a", "B", "z9", "-", "--", "_", "~", "+", "*", "$"],
  ...[
    "xn--",
    "xn--bcher-kva",
    "ab--c",
    "é",
    "ß",
    "中文",
    "İ",
    "\u00ad",
    "\u200d",
    "。",
    "😀",
    "\ud800",
  ],
  ...[" ", "\t", "\n", "\r", "\0", "\x1f", "\x7f", "\u0080", "\ufeff", "\ufdd0"],
  ...["1", "0", "0x7f", "127.0.0.1", "1.2.3", "1.2.3.4.5", "256", "[::1]", "[1::]", "[", "]"],
  ...[":80", ":443", ":8080", ":0", ":65536", ":00080", "user:pass@", "@@"],
  ...["www.", "example.org", "EXAMPLE.com", "www.example.org", "localhost", "org.", ".."],
  ...[";", ";jsessionid=1", ";JSESSIONID=A.b", "..;jsessionid=1", "(S(lit3py55t21z5v55vlm25s55))"],
  ...[
    "(",
    ")",
    "(lit3py55t21z5v55vlm25s55)",
    "_(town)",
    "PHPSESSID=1",
    "sid=12",
    "&",
    "=",
    "&amp;",
  ],
  ...["sid=0123456789abcdefghijklmnop", "utm_source=x", "&UTM_x", "fbclid=1", "s%69d=1", "b=2&a=1"],
  ...["index.html", "/index.php", "default.aspx", "/index.html/", "index.html?", "page", "photos"],
  ...['"', "'", "<", ">", "|", "^", "`", "{", "}", ",", "!", "news/2026/11/", "article-17.html"],
];

/** A text of up to nine pieces. */
export function piecedText(random: Random): string {
  const pieces = Array.from({ length: random.below(10) }, () => pick(random, PIECES));
  return pieces.join("");
}

/** A link as pages have them, with now and then a piece where it does not belong. */
export function likelyLink(random: Random): string {
  const starts = [
    "/",
    "/",
    "",
    "",
    "../",
    "./",
    "?",
    "#",
    "//",
    "https://",
    "http://",
    "https://www.",
  ];
  const path = Array.from({ length: random.below(5) }, () => pick(random, LIKELY)).join("");
  const link = pick(random, starts) + path;
  return random.below(3) === 0 ? damaged(random, link) : link;
}

const LIKELY: readonly string[] = [
  ...[
    "example.org",
    "example.org/",
    "/",
    "news",
    "2026/",
    "a-b_c",
    "index.html",
    "?page=2",
    "&q=x",
  ],
  ...[
    "../",
    "./",
    ".",
    "..",
    "#top",
    "%20",
    "%C3%A9",
    "%e9",
    "size=",
    "search=",
    "www.",
    "Foo.Com",
  ],
  ...["(x)", ":8080", ";", "=", "xn--p1ai", "sid=", ".well-known/", "..."],
];

/** The text with one to three small changes. */
export function damaged(random: Random, text: string): string {
  let result = text;
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) {
    const at = random.below(result.length + 1);
    const cut = random.below(4) === 0 ? 1 + random.below(3) : 0;
    const added = random.below(4) === 0 ? "" : pick(random, PIECES);
    result = result.slice(0, at) + added + result.slice(at + cut);
  }
  return result;
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}
