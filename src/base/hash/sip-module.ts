/**
 * SipHash (Aumasson and Bernstein, 2012) as a WebAssembly module, assembled here instruction by
 * instruction so that it reads like the paper and nothing has to be compiled beforehand.
 *
 * JavaScript has no 64-bit integers that are fast; in 32-bit halves the same function takes five
 * times as long (docs/adr/0011). The module has one function, `sip(key, text, length, out)`, all
 * offsets into its own memory, and exports that memory, so text is hashed where it was written.
 *
 * A key is given as the four words that a round starts from (`SipHasher` prepares them). The last
 * partial word is read as a whole one and masked: up to seven bytes after the text are read, never
 * used, and must exist.
 */

type Code = readonly number[];

/** How many rounds follow each word, and how many the last one: (1, 3) or (2, 4) in practice. */
export interface SipRounds {
  readonly perWord: number;
  readonly atEnd: number;
}

/** The bytes of the module, with room for `pages` pages of 64 KiB. */
export function sipModule(rounds: SipRounds, pages: number): Uint8Array<ArrayBuffer> {
  const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const fourOffsetsToNothing = [0x60, 4, I32, I32, I32, I32, 0];
  const body = [...LOCALS, ...sipCode(rounds), END];
  return new Uint8Array([
    ...magicAndVersion,
    ...section(1, [1, ...fourOffsetsToNothing]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...unsigned(pages)]),
    ...section(7, [2, ...name("memory"), 2, 0, ...name("sip"), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

const I32 = 0x7f;
const I64 = 0x7e;
const END = 0x0b;

/** The parameters come first among the locals, then the five words, then one more offset. */
const KEY = 0;
const TEXT = 1;
const LENGTH = 2;
const OUT = 3;
const V0 = 4;
const V1 = 5;
const V2 = 6;
const V3 = 7;
const WORD = 8;
const WORDS_END = 9;
const LOCALS: Code = [2, 5, I64, 1, I32];

function sipCode(rounds: SipRounds): Code {
  return [
    ...[V0, V1, V2, V3].flatMap((v, index) => [...get(KEY), ...load64(8 * index), ...set(v)]),
    ...set(WORDS_END, add32(get(TEXT), and32(get(LENGTH), i32(-8)))),
    ...whileBelow(TEXT, WORDS_END, [
      ...set(WORD, [...get(TEXT), ...load64(0)]),
      ...absorb(rounds.perWord),
      ...set(TEXT, add32(get(TEXT), i32(8))),
    ]),
    ...set(WORD, lastWord()),
    ...absorb(rounds.perWord),
    ...set(V2, xor64(get(V2), i64(0xff))),
    ...repeat(sipRound(), rounds.atEnd),
    ...get(OUT),
    ...xor64(xor64(get(V0), get(V1)), xor64(get(V2), get(V3))),
    ...store64(0),
  ];
}

/** The bytes that are left over, with the length of the text in the highest byte. */
function lastWord(): Code {
  const bits = shiftLeft32(and32(get(LENGTH), i32(7)), i32(3));
  const mask = subtract64(shiftLeft64(i64(1), widen(bits)), i64(1));
  const rest = and64([...get(TEXT), ...load64(0)], mask);
  return or64(rest, shiftLeft64(widen(get(LENGTH)), i64(56)));
}

function absorb(rounds: number): Code {
  return [
    ...set(V3, xor64(get(V3), get(WORD))),
    ...repeat(sipRound(), rounds),
    ...set(V0, xor64(get(V0), get(WORD))),
  ];
}

function sipRound(): Code {
  return [
    ...halfRound(V0, V1, 13),
    ...rotate(V0, 32),
    ...halfRound(V2, V3, 16),
    ...halfRound(V0, V3, 21),
    ...halfRound(V2, V1, 17),
    ...rotate(V2, 32),
  ];
}

/** a += b; b <<<= bits; b ^= a. */
function halfRound(a: number, b: number, bits: number): Code {
  return [...set(a, add64(get(a), get(b))), ...rotate(b, bits), ...set(b, xor64(get(b), get(a)))];
}

function rotate(v: number, bits: number): Code {
  return set(v, [...get(v), ...i64(bits), 0x89]);
}

function whileBelow(local: number, bound: number, body: Code): Code {
  const [block, loop, noResult, atLeast, breakIf, goOn] = [0x02, 0x03, 0x40, 0x4f, 0x0d, 0x0c];
  return [
    ...[block, noResult, loop, noResult],
    ...[...get(local), ...get(bound), atLeast, breakIf, 1],
    ...body,
    ...[goOn, 0, END, END],
  ];
}

function get(local: number): Code {
  return [0x20, local];
}

function set(local: number, value: Code = []): Code {
  return [...value, 0x21, local];
}

function load64(offset: number): Code {
  return [0x29, 0, ...unsigned(offset)];
}

function store64(offset: number): Code {
  return [0x37, 0, ...unsigned(offset)];
}

function i32(value: number): Code {
  return [0x41, ...signed(value)];
}

function i64(value: number): Code {
  return [0x42, ...signed(value)];
}

const add32 = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const and32 = (a: Code, b: Code): Code => [...a, ...b, 0x71];
const shiftLeft32 = (a: Code, b: Code): Code => [...a, ...b, 0x74];
const add64 = (a: Code, b: Code): Code => [...a, ...b, 0x7c];
const subtract64 = (a: Code, b: Code): Code => [...a, ...b, 0x7d];
const and64 = (a: Code, b: Code): Code => [...a, ...b, 0x83];
const or64 = (a: Code, b: Code): Code => [...a, ...b, 0x84];
const xor64 = (a: Code, b: Code): Code => [...a, ...b, 0x85];
const shiftLeft64 = (a: Code, b: Code): Code => [...a, ...b, 0x86];
const widen = (a: Code): Code => [...a, 0xad];

function repeat(code: Code, times: number): Code {
  return Array.from({ length: times }, () => code).flat();
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): Code {
  return [text.length, ...Buffer.from(text, "ascii")];
}

/** LEB128: seven bits to a byte, the lowest first, the top bit set where more follow. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  const isWhole = value >= -0x40 && value < 0x40;
  return isWhole ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
