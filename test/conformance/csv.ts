/** The rows of a small CSV file: comments with `#`, fields trimmed, quotes doubled inside quotes. */
export function csvRows(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.map((line) =>
    [...line.matchAll(FIELD)].map((match) => {
      const quoted = match[1]?.replaceAll('""', '"');
      return quoted ?? (match[2] ?? "").trim();
    }),
  );
}

const FIELD = /(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g;
