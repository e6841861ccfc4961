/** Figures as people read them: three or four digits and a unit. */
import { GIB, HOUR_MS, KIB, MIB, MINUTE_MS, SECOND_MS } from "../../base/units/index.ts";

/** `1,234,567`. */
export function amount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 host`, `1,234 hosts`, `2 fetches`. */
export function plural(count: number, noun: string): string {
  const ending = noun.endsWith("ch") ? "es" : "s";
  return `${amount(count)} ${noun}${count === 1 ? "" : ending}`;
}

/** `1.4 MiB`. */
export function bytesText(bytes: number): string {
  if (bytes >= GIB) return `${(bytes / GIB).toFixed(1)} GiB`;
  if (bytes >= MIB) return `${(bytes / MIB).toFixed(1)} MiB`;
  return bytes >= KIB ? `${(bytes / KIB).toFixed(1)} KiB` : `${bytes} B`;
}

/** As `durationText`, in whole seconds: for what is shown again and again. */
export function clockText(ms: number): string {
  return ms < MINUTE_MS ? `${Math.floor(ms / SECOND_MS)} s` : durationText(ms);
}

/** `2h 05m`, `3m 20s`, `4.2 s`. */
export function durationText(ms: number): string {
  if (ms >= HOUR_MS) {
    return `${Math.floor(ms / HOUR_MS)}h ${two((ms % HOUR_MS) / MINUTE_MS)}m`;
  }
  if (ms >= MINUTE_MS) {
    return `${Math.floor(ms / MINUTE_MS)}m ${two((ms % MINUTE_MS) / SECOND_MS)}s`;
  }
  return `${(ms / SECOND_MS).toFixed(1)} s`;
}

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}
