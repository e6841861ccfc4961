/**
 * The named profiles, each as what it changes in `plain`:
 * - `plain`: sound pages on sound hosts, every link in the simplest form;
 * - `realistic`: the web as it is, all features in moderate shares, traps that end;
 * - `hostile`: everything at once, in large shares, traps without end;
 * - `scale`: ten million sound pages on a hundred thousand hosts.
 */
import type { Profile } from "./profile.ts";
import { PROFILE_SCHEMA } from "./profile-schema.ts";

export type ProfileName = "plain" | "realistic" | "hostile" | "scale";

export type ProfileChanges = { readonly [Group in keyof Profile]?: Partial<Profile[Group]> };

/** A profile with some numbers replaced. */
export function changedProfile(profile: Profile, changes: ProfileChanges): Profile {
  const values = PROFILE_SCHEMA.values(profile);
  for (const [group, keys] of Object.entries(changes)) {
    for (const [name, number] of Object.entries(keys)) values.set(`${group}.${name}`, number);
  }
  return PROFILE_SCHEMA.build(values);
}

const PLAIN: Profile = PROFILE_SCHEMA.defaults;

const REALISTIC: ProfileChanges = {
  hosts: {
    count: 200,
    pages: 20_000,
    twoAddresses: 0.05,
    ipv6: 0.03,
    international: 0.05,
    mirrors: 0.03,
    aliases: 0.3,
    slow: 0.05,
    dead: 0.02,
  },
  dns: { aliases: 0.1, missing: 0.03, failing: 0.01, silent: 0.01, passing: 0.02, slow: 0.05 },
  links: {
    area: 0.01,
    iframe: 0.01,
    head: 0.03,
    resource: 0.02,
    form: 0.02,
    refresh: 0.01,
    frameset: 0.005,
    base: 0.03,
    noise: 0.05,
    decoys: 0.05,
  },
  spelling: {
    absolute: 0.2,
    relative: 0.3,
    variants: 0.1,
    international: 0.05,
    sessions: 0.01,
    tracking: 0.01,
    indexPages: 0.02,
  },
  markup: { sloppy: 0.2, broken: 0.2 },
  text: { otherLanguages: 0.5, legacyCharsets: 0.2, oddDeclarations: 0.05, compressed: 0.7 },
  robots: {
    rules: 0.25,
    wildcards: 0.1,
    named: 0.02,
    delay: 0.05,
    longDelay: 0.005,
    missing: 0.2,
    forbidden: 0.02,
    broken: 0.01,
    passing: 0.01,
    redirected: 0.03,
    lost: 0.005,
    huge: 0.005,
    garbage: 0.02,
    odd: 0.05,
    closed: 0.02,
    privatePages: 0.04,
    openedPages: 0.01,
    generatedPages: 0.03,
  },
  directives: { nofollowPages: 0.02, nofollowLinks: 0.03, noarchive: 0.02, hidden: 0.01 },
  redirects: { near: 0.04, away: 0.02, chains: 0.01, long: 0.001, loops: 0.002, odd: 0.002 },
  errors: {
    missing: 0.04,
    gone: 0.005,
    forbidden: 0.005,
    broken: 0.005,
    throttled: 0.01,
    throttledForGood: 0.002,
    reset: 0.005,
    resetForGood: 0.002,
  },
  duplicates: { exact: 0.04, numbered: 0.02, near: 0.03 },
  files: { images: 0.05, binaries: 0.02, texts: 0.01, empty: 0.003, oddTypes: 0.005 },
  sitemaps: { hosts: 0.3, only: 0.02 },
  encodings: { doubled: 0.001, broken: 0.002 },
  traps: { calendars: 0.05, loops: 0.02, sessions: 0.01, mazes: 0.005, length: 24 },
  oddities: {
    chunked: 0.05,
    noLengthClose: 0.01,
    manyInterim: 0.001,
    foldedHeader: 0.001,
    bareNewlines: 0.001,
    lengthTooSmall: 0.001,
    lengthTooLarge: 0.001,
    closeMidBody: 0.002,
    chunkedBroken: 0.001,
    stallMidBody: 0.0005,
    closeBeforeHead: 0.001,
    hugeHeader: 0.0005,
    garbage: 0.0005,
  },
};

const HOSTILE: ProfileChanges = {
  hosts: {
    count: 50,
    pages: 3000,
    twoAddresses: 0.2,
    ipv6: 0.1,
    international: 0.3,
    mirrors: 0.1,
    aliases: 0.5,
    slow: 0.1,
    dead: 0.05,
  },
  dns: {
    aliases: 0.3,
    missing: 0.05,
    failing: 0.05,
    silent: 0.03,
    passing: 0.05,
    truncated: 0.03,
    slow: 0.1,
  },
  links: {
    area: 0.05,
    iframe: 0.05,
    head: 0.05,
    resource: 0.05,
    form: 0.05,
    refresh: 0.05,
    frameset: 0.03,
    base: 0.2,
    noise: 0.3,
    decoys: 0.5,
  },
  spelling: {
    absolute: 0.3,
    relative: 0.3,
    variants: 0.6,
    international: 0.3,
    sessions: 0.1,
    tracking: 0.05,
    indexPages: 0.1,
  },
  markup: { sloppy: 0.6, broken: 0.8 },
  text: { otherLanguages: 0.8, legacyCharsets: 0.6, oddDeclarations: 0.3, compressed: 0.7 },
  robots: {
    rules: 0.15,
    wildcards: 0.15,
    named: 0.08,
    delay: 0.05,
    longDelay: 0.05,
    missing: 0.05,
    forbidden: 0.03,
    broken: 0.05,
    passing: 0.05,
    redirected: 0.08,
    lost: 0.03,
    huge: 0.05,
    garbage: 0.05,
    odd: 0.1,
    closed: 0.05,
    privatePages: 0.05,
    openedPages: 0.02,
    generatedPages: 0.04,
  },
  directives: { nofollowPages: 0.04, nofollowLinks: 0.1, noarchive: 0.1, hidden: 0.03 },
  redirects: { near: 0.04, away: 0.03, chains: 0.03, long: 0.01, loops: 0.02, odd: 0.02 },
  errors: {
    missing: 0.03,
    gone: 0.01,
    forbidden: 0.01,
    broken: 0.02,
    throttled: 0.02,
    throttledForGood: 0.01,
    reset: 0.02,
    resetForGood: 0.01,
  },
  duplicates: { exact: 0.04, numbered: 0.02, near: 0.03 },
  files: { images: 0.03, binaries: 0.03, texts: 0.02, empty: 0.02, oddTypes: 0.03 },
  sitemaps: { hosts: 0.3, only: 0.02 },
  encodings: { doubled: 0.01, broken: 0.02, bombs: 0.003 },
  traps: { calendars: 0.2, loops: 0.2, sessions: 0.1, mazes: 0.1, floods: 0.002 },
  oddities: {
    chunked: 0.03,
    noLengthClose: 0.01,
    manyInterim: 0.01,
    foldedHeader: 0.01,
    bareNewlines: 0.01,
    lengthTooSmall: 0.01,
    lengthTooLarge: 0.01,
    closeMidBody: 0.01,
    chunkedBroken: 0.01,
    stallMidBody: 0.005,
    endlessBody: 0.003,
    closeBeforeHead: 0.01,
    hugeHeader: 0.005,
    garbage: 0.005,
    http09: 0.005,
  },
};

const SCALE: ProfileChanges = {
  hosts: { count: 100_000, pages: 10_000_000, perAddress: 10 },
  spelling: { relative: 0.1 },
};

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  plain: PLAIN,
  realistic: changedProfile(PLAIN, REALISTIC),
  hostile: changedProfile(PLAIN, HOSTILE),
  scale: changedProfile(PLAIN, SCALE),
};
