/** Dates as pages write them, in one form. */

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
/** As in mail and HTTP. */
const MAIL =
  /^(?:[a-z]{3}, ?)?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/i;
const LENGTH_MAX = 64;

/**
 * A day as `2026-01-31`, an instant as `2026-01-31T12:00:00.000Z`; "" for what is neither. An instant
 * that names no zone counts as UTC.
 */
export function isoDate(written: string): string {
  const text = written.length > LENGTH_MAX ? "" : written.trim();
  if (DAY.test(text)) return instantOf(text).startsWith(text) ? text : "";
  const [, day, time, zone = "Z"] = INSTANT.exec(text) ?? [];
  if (day !== undefined && time !== undefined) {
    if (!instantOf(day).startsWith(day)) return "";
    return instantOf(`${day}T${time.replace(",", ".")}${zoneOf(zone)}`);
  }
  return MAIL.test(text) ? instantOf(text) : "";
}

/** `+02`, `+0200` and `+02:00` are the same. */
function zoneOf(zone: string): string {
  const digits = zone.replaceAll(":", "");
  if (digits.length === 1) return "Z";
  return `${digits.slice(0, 3)}:${digits.slice(3) || "00"}`;
}

function instantOf(text: string): string {
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? "" : new Date(atMs).toISOString();
}
