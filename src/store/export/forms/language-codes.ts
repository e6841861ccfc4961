/** Languages by the three letters that Common Crawl's files use (ISO 639-3). */

/** Two letters and three, for the languages that are identified. */
const CODES =
  "am:amh ar:ara az:aze be:bel bg:bul bn:ben ca:cat cs:ces da:dan de:deu el:ell en:eng es:spa " +
  "et:est eu:eus fa:fas fi:fin fr:fra gu:guj he:heb hi:hin hr:hrv hu:hun hy:hye is:isl it:ita " +
  "ja:jpn ka:kat kn:kan ko:kor ku:kur lo:lao lt:lit lv:lav ml:mal mr:mar ms:msa nl:nld no:nor " +
  "or:ori pa:pan pl:pol pt:por ro:ron ru:rus sk:slk sl:slv sq:sqi sr:srp sv:swe ta:tam te:tel " +
  "th:tha tl:tgl tr:tur uk:ukr ur:urd vi:vie yo:yor zh:zho";

const THREE: ReadonlyMap<string, string> = new Map(
  CODES.split(" ").map((pair) => pair.split(":") as [string, string]),
);

/** Null for a language that is unknown or not in the table. */
export function threeLetters(language: string | null): string | null {
  const primary = language?.toLowerCase().split(/[-_]/, 1)[0] ?? "";
  return THREE.get(primary) ?? null;
}
