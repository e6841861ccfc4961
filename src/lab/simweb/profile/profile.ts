/**
 * A profile: what a synthetic web is like, as numbers. Every feature of the web has a share that
 * says how much of the web has it; 0 switches it off. Shares are of different wholes, which the
 * meaning of each key names: of the hosts, of the pages, of the links, of the *leaves* (pages that
 * no other page needs to be found: `slot-model.ts`).
 */
export interface Profile {
  readonly hosts: {
    readonly count: number;
    readonly pages: number;
    readonly exponent: number;
    readonly pagesMax: number;
    readonly branching: number;
    readonly perDomain: number;
    readonly perAddress: number;
    readonly twoAddresses: number;
    readonly ipv6: number;
    readonly international: number;
    readonly mirrors: number;
    readonly aliases: number;
    readonly slow: number;
    readonly slowDelay: number;
    readonly slowRate: number;
    readonly dead: number;
  };
  readonly dns: {
    readonly ttl: number;
    readonly aliases: number;
    readonly perServer: number;
    readonly missing: number;
    readonly failing: number;
    readonly silent: number;
    readonly passing: number;
    readonly truncated: number;
    readonly slow: number;
    readonly slowDelay: number;
  };
  readonly pages: {
    readonly medianBytes: number;
    readonly spread: number;
    readonly bytesMax: number;
    readonly branching: number;
  };
  readonly links: {
    readonly perPage: number;
    readonly spread: number;
    readonly foreign: number;
    readonly front: number;
    readonly area: number;
    readonly iframe: number;
    readonly head: number;
    readonly resource: number;
    readonly form: number;
    readonly refresh: number;
    readonly frameset: number;
    readonly base: number;
    readonly noise: number;
    readonly decoys: number;
  };
  readonly spelling: {
    readonly absolute: number;
    readonly relative: number;
    readonly variants: number;
    readonly international: number;
    readonly sessions: number;
    readonly tracking: number;
    readonly indexPages: number;
  };
  readonly markup: {
    readonly sloppy: number;
    readonly broken: number;
  };
  readonly text: {
    readonly otherLanguages: number;
    readonly legacyCharsets: number;
    readonly oddDeclarations: number;
    readonly compressed: number;
  };
  readonly robots: {
    readonly rules: number;
    readonly wildcards: number;
    readonly named: number;
    readonly delay: number;
    readonly longDelay: number;
    readonly missing: number;
    readonly forbidden: number;
    readonly broken: number;
    readonly passing: number;
    readonly redirected: number;
    readonly lost: number;
    readonly huge: number;
    readonly garbage: number;
    readonly odd: number;
    readonly closed: number;
    readonly privatePages: number;
    readonly openedPages: number;
    readonly generatedPages: number;
  };
  readonly directives: {
    readonly nofollowPages: number;
    readonly nofollowLinks: number;
    readonly noarchive: number;
    readonly hidden: number;
  };
  readonly redirects: {
    readonly near: number;
    readonly away: number;
    readonly chains: number;
    readonly long: number;
    readonly loops: number;
    readonly odd: number;
  };
  readonly errors: {
    readonly missing: number;
    readonly gone: number;
    readonly forbidden: number;
    readonly broken: number;
    readonly throttled: number;
    readonly throttledForGood: number;
    readonly reset: number;
    readonly resetForGood: number;
    readonly tries: number;
  };
  readonly duplicates: {
    readonly exact: number;
    readonly numbered: number;
    readonly near: number;
  };
  readonly files: {
    readonly images: number;
    readonly binaries: number;
    readonly texts: number;
    readonly empty: number;
    readonly oddTypes: number;
  };
  readonly sitemaps: {
    readonly hosts: number;
    readonly only: number;
  };
  readonly encodings: {
    readonly doubled: number;
    readonly broken: number;
    readonly bombs: number;
  };
  readonly traps: {
    readonly calendars: number;
    readonly loops: number;
    readonly sessions: number;
    readonly mazes: number;
    readonly floods: number;
    readonly floodLinks: number;
    readonly length: number;
  };
  readonly oddities: {
    readonly chunked: number;
    readonly noLengthClose: number;
    readonly manyInterim: number;
    readonly foldedHeader: number;
    readonly bareNewlines: number;
    readonly lengthTooSmall: number;
    readonly lengthTooLarge: number;
    readonly closeMidBody: number;
    readonly chunkedBroken: number;
    readonly stallMidBody: number;
    readonly endlessBody: number;
    readonly closeBeforeHead: number;
    readonly hugeHeader: number;
    readonly garbage: number;
    readonly http09: number;
  };
}
