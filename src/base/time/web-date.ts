/**
 * Dates as the web writes them, read without regard to the machine's own time zone: RFC 9110 and
 * RFC 822 (`Thu, 05 Jan 2017 13:34:51 +0100`), RFC 850 (`Thursday, 05-Jan-17 13:34:51 GMT`),
 * asctime (`Thu Jan  5 13:34:51 2017`), and ISO 8601 with its W3C subset (`2017-01`,
 * `2017-01-05T13:34:51.5+01:00`). `Date.parse` would do most of this, but not all of it is
 * specified: a date without a zone means a different instant on every machine.
 *
 * A date without a time means its beginning; one without a zone is taken as UTC.
 */

/** Milliseconds since 1970, or null when the text is not a date. */
export function webDateMs(text: string): number | null {
  if (text.length > TEXT_MAX) return null;
  const trimmed = text.trim();
  return isoMs(trimmed) ?? namedMonthMs(trimmed);
}

const TEXT_MAX = 100;

const ISO =
  /^(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[T ]+(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(.*))?)?)?$/i;

function isoMs(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, zone] = match;
  return instantMs({
    year: Number(year),
    month: Number(month ?? 1) - 1,
    day: Number(day ?? 1),
    time: [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)],
    zone: zone ?? "",
  });
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * `5 Jan 2017`, `05-Jan-17`, `Jan 5, 2017`, `Jan  5 13:34:51 2017`: day and year around a month.
 */
function namedMonthMs(text: string): number | null {
  const time = /(\d\d?):(\d\d)(?::(\d\d))?(?:\.\d+)?/.exec(text);
  const zone = time === null ? "" : zoneAfter(text.slice(time.index + time[0].length));
  const words = (time === null ? text : text.replace(time[0], " ")).match(/[a-z]+|\d+/gi) ?? [];
  const month = words.findIndex((word) => MONTHS.includes(word.slice(0, 3).toLowerCase()));
  const before = words[month - 1];
  const dayFirst = month > 0 && /^\d\d?$/.test(before ?? "");
  const day = dayFirst ? before : words[month + 1];
  const year = dayFirst ? words[month + 1] : words[month + 2];
  if (month === -1 || !/^\d\d?$/.test(day ?? "") || !/^(?:\d\d|\d{4})$/.test(year ?? "")) {
    return null;
  }
  return instantMs({
    year: fullYear(String(year)),
    month: MONTHS.indexOf(String(words[month]).slice(0, 3).toLowerCase()),
    day: Number(day),
    time: [Number(time?.[1] ?? 0), Number(time?.[2] ?? 0), Number(time?.[3] ?? 0)],
    zone,
  });
}

/** In asctime's form the year follows the time, where others have the zone. */
function zoneAfter(rest: string): string {
  const zone = rest.trim();
  return /^\d{4}$/.test(zone) ? "" : zone;
}

function fullYear(year: string): number {
  if (year.length === 4) return Number(year);
  return Number(year) + (Number(year) < 70 ? 2000 : 1900);
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly time: readonly [hour: number, minute: number, second: number];
  readonly zone: string;
}

function instantMs(parts: Parts): number | null {
  const { year, month, day, time } = parts;
  const [hour, minute, second] = time;
  const offset = zoneMinutes(parts.zone);
  if (offset === null || hour > 24 || minute > 59 || second > 60) return null;
  const midnight = new Date(Date.UTC(2000, month, day));
  midnight.setUTCFullYear(year, month, day);
  // The 31st of February would become a day in March.
  if (midnight.getUTCMonth() !== month || midnight.getUTCDate() !== day) return null;
  return midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000;
}

/** East of Greenwich, in minutes; the names are those of RFC 822 and a few that sites use. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ["", 0],
  ["z", 0],
  ["ut", 0],
  ["utc", 0],
  ["gmt", 0],
  ["wet", 0],
  ["est", -300],
  ["edt", -240],
  ["cst", -360],
  ["cdt", -300],
  ["mst", -420],
  ["mdt", -360],
  ["pst", -480],
  ["pdt", -420],
  ["bst", 60],
  ["cet", 60],
  ["cest", 120],
  ["eet", 120],
  ["eest", 180],
  ["msk", 180],
  ["jst", 540],
]);

function zoneMinutes(zone: string): number | null {
  const text = zone.trim().toLowerCase();
  const match = /^(?:gmt|utc)?\s*([+-])(\d\d):?(\d\d)?(?:\s*\(.*\))?$/.exec(text);
  if (match === null) return ZONES.get(text) ?? null;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return match[1] === "-" ? -minutes : minutes;
}
