/**
 * Endless parts of a web. Each is entered by a link on a front page, and leads ever further and back
 * to the front page: a calendar, a folder that contains itself, a shop that names each visit anew,
 * and hosts that lead to ever new hosts. One that never ends forks at every step, one that ends does
 * not. How many steps a page is away from the entrance can be read off its URL, so the truth knows
 * the depth of every page of a trap without walking into it.
 */
import { mix } from "./chance.ts";
import { CALENDAR, LOOP, MAZE, VISITS } from "./link-list.ts";

export interface TrapPage {
  readonly trap: number;
  /** Steps from the entrance. */
  readonly step: number;
  /** Where it leads on to: root-relative references, or relative ones inside a loop. */
  readonly onward: readonly string[];
}

/** The calendar opens here. */
const YEAR = 2006;
const MONTH = 6;
const FAR = 1_000_000;

/** The reference to the entrance of a trap within its own host; a maze is entered by its name. */
export function trapEntrance(trap: number, content: number): string {
  switch (trap) {
    case CALENDAR:
      return calendarPath(content, 0);
    case LOOP:
      return "/loop/";
    case VISITS:
      return visitPath(0, visitToken(content));
    default:
      return "/";
  }
}

/** The page of a trap with this path, if there is one; `length` is where the trap ends. */
export function findTrapPage(content: number, target: string, length: number): TrapPage | null {
  const forks = forksOf(length);
  const page = calendarPage(content, target) ?? loopPage(target, forks) ?? visitPage(target, forks);
  return page === null ? null : withinLength(page, length);
}

function calendarPage(content: number, target: string): TrapPage | null {
  const found =
    /^\/calendar\?year=(-?\d{1,6})&month=(\d{1,2})$/.exec(target) ??
    /^\/calendar\/(-?\d{1,6})\/(\d{1,2})$/.exec(target);
  if (found === null) return null;
  const offset = (Number(found[1]) - YEAR) * 12 + Number(found[2]) - MONTH;
  if (calendarPath(content, offset) !== target) return null;
  const onward = [calendarPath(content, offset + 1), calendarPath(content, offset - 1)];
  return { trap: CALENDAR, step: Math.abs(offset), onward };
}

/** Half of the calendars hide their parameters in the path. */
function calendarPath(content: number, offset: number): string {
  const months = MONTH - 1 + offset;
  const year = YEAR + Math.floor(months / 12);
  const month = 1 + (((months % 12) + 12) % 12);
  return (content & 1) === 0
    ? `/calendar?year=${year}&month=${month}`
    : `/calendar/${year}/${month}`;
}

function loopPage(target: string, forks: readonly number[]): TrapPage | null {
  if (!/^\/loop\/(?:(?:in|out)\/)*$/.test(target)) return null;
  const step = target.split("/").length - 3;
  const onward = forks.map((fork) => ((step + fork) % 2 === 0 ? "in/" : "out/"));
  return { trap: LOOP, step, onward };
}

function visitPage(target: string, forks: readonly number[]): TrapPage | null {
  const found = /^\/shop\/\?visit=(\d{1,7})-([0-9a-f]{8})$/.exec(target);
  if (found === null) return null;
  const [step, token] = [Number(found[1]), Number.parseInt(found[2] ?? "", 16)];
  const onward = forks.map((fork) => visitPath(step + 1, mix(token + fork)));
  return { trap: VISITS, step, onward };
}

function visitPath(step: number, token: number): string {
  return `/shop/?visit=${step}-${hex(token)}`;
}

function visitToken(content: number): number {
  return mix(content + 0x5eed);
}

/** A host that exists only because it is asked for. */
export interface MazeHost {
  /** The host whose front page leads into the maze. */
  readonly content: number;
  readonly step: number;
  /** The names of the hosts it leads on to. */
  readonly onward: readonly string[];
}

export function mazeEntrance(content: number): string {
  return mazeName(content, 0, mix(content + 0xa3e));
}

export function findMazeHost(name: string, length: number): MazeHost | null {
  const found = /^w(\d{1,7})-([0-9a-f]{8})\.maze-([0-9a-z]{1,6})\.test$/.exec(name);
  if (found === null) return null;
  const [step, token] = [Number(found[1]), Number.parseInt(found[2] ?? "", 16)];
  const content = Number.parseInt(found[3] ?? "", 36);
  if (mazeName(content, step, token) !== name) return null;
  const onward = forksOf(length).map((fork) => mazeName(content, step + 1, mix(token + fork)));
  const page = withinLength({ trap: MAZE, step, onward }, length);
  return page === null ? null : { content, step, onward: page.onward };
}

function mazeName(content: number, step: number, token: number): string {
  return `w${step}-${hex(token)}.maze-${content.toString(36)}.test`;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

/** What ends must end soon, not after all combinations of ways. */
function forksOf(length: number): readonly number[] {
  return length === 0 ? [1, 2] : [1];
}

/** The last page of a trap that ends leads nowhere; after it there is none. */
function withinLength(page: TrapPage, length: number): TrapPage | null {
  const last = length === 0 ? FAR : length;
  if (page.step > last) return null;
  return page.step === last ? { ...page, onward: [] } : page;
}
