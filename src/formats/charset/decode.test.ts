import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodingOfLabel } from "./encoding-name.ts";
import { byteFormOf, decodeText, type EncodingName, singleByteTable, Transcoder } from "./index.ts";

function encoding(label: string): EncodingName {
  const name = encodingOfLabel(label);
  assert.ok(name !== undefined, `${label} is a label`);
  return name;
}

function decoded(hex: string, label: string): string {
  return decodeText(Buffer.from(hex, "hex"), encoding(label));
}

const ENCODINGS =
  "utf-8 utf-16le utf-16be ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr replacement x-user-defined"
    .split(" ")
    .map(encoding);

test("labels mean what the standard says, in any case and with space around them", () => {
  assert.equal(encodingOfLabel(" UTF8\n"), "utf-8");
  assert.equal(encodingOfLabel("ISO-8859-1"), "windows-1252");
  assert.equal(encodingOfLabel("us-ascii"), "windows-1252");
  assert.equal(encodingOfLabel("gb2312"), "gbk");
  assert.equal(encodingOfLabel("ks_c_5601-1987"), "euc-kr");
  assert.equal(encodingOfLabel("x-sjis"), "shift_jis");
  assert.equal(encodingOfLabel("iso-2022-kr"), "replacement");
  assert.equal(encodingOfLabel("utf-7"), undefined);
  assert.equal(encodingOfLabel(""), undefined);
  assert.equal(encodingOfLabel("x".repeat(1_000_000)), undefined);
});

test("texts of many encodings are decoded", () => {
  assert.equal(decoded("e92080", "latin1"), "é €");
  assert.equal(decoded("cff0e8", "windows-1251"), "При");
  assert.equal(decoded("93fa967b", "shift_jis"), "日本");
  assert.equal(decoded("c6fccbdc", "euc-jp"), "日本");
  assert.equal(decoded("1b2442467c4b5c1b2842", "iso-2022-jp"), "日本");
  assert.equal(decoded("d6d0cec4", "gbk"), "中文");
  assert.equal(decoded("a4a4a4e5", "big5"), "中文");
  assert.equal(decoded("c7d1b1db", "euc-kr"), "한글");
  assert.equal(decoded("8141", "euc-kr"), "갂", "the second half of the Korean code");
  assert.equal(decoded("8145fe", "gb18030"), "丒\ufffd");
  assert.equal(decoded("3c005a00", "utf-16le"), "<Z");
});

test("a broken character does not swallow the markup after it", () => {
  for (const label of ["shift_jis", "euc-jp", "euc-kr", "gbk", "big5", "utf-8"]) {
    for (let lead = 0x80; lead < 0x100; lead++) {
      for (const next of [0x3c, 0x3e, 0x22]) {
        const text = decodeText(Uint8Array.of(lead, next), encoding(label));
        assert.equal(text.at(-1), String.fromCharCode(next), `${label} ${lead.toString(16)}`);
      }
    }
  }
});

test("the replacement encoding gives one replacement character for any text", () => {
  assert.equal(decoded("414243", "iso-2022-cn"), "\ufffd");
  assert.equal(decoded("", "iso-2022-cn"), "");
});

test("surrogates that stand alone are replaced", () => {
  assert.equal(decoded("00d84100", "utf-16le"), "\ufffdA");
  assert.equal(decoded("eda080", "utf-8"), "\ufffd\ufffd\ufffd");
});

test("any bytes can be decoded in any encoding, in any chunks, with the same result", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.constantFrom(...ENCODINGS), pieces, (name, chunks) => {
      const transcoder = new Transcoder(name);
      const written = chunks.map((chunk) => Buffer.from(transcoder.write(chunk)));
      const whole = Buffer.concat([...written, transcoder.end()]);
      assert.equal(whole.toString("utf8"), decodeText(Buffer.concat(chunks), name));
    }),
    { numRuns: 2000 },
  );
});

test("the table of a single-byte encoding agrees with its decoder", () => {
  const names = ENCODINGS.filter((name) => byteFormOf(name) === "single");
  assert.equal(names.length, 29);
  for (const name of names) {
    const table = singleByteTable(name);
    for (let byte = 0; byte < 256; byte++) {
      const expected = byte < 0x80 ? byte : (table[byte - 0x80] as number);
      assert.equal(decodeText(Uint8Array.of(byte), name).codePointAt(0), expected);
    }
  }
});
