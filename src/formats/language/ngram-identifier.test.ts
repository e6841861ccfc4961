import assert from "node:assert/strict";
import { before, test } from "node:test";
import { eld } from "eld/extrasmall";
import fc from "fast-check";
import { type LanguageIdentifier, openLanguageIdentifier } from "./index.ts";

const TEXTS: Readonly<Record<string, string>> = {
  de: "Der Hafen liegt im Norden der Stadt und wird im Winter von wenigen Schiffen angelaufen.",
  en: "The harbour lies in the north of the town and few ships call there during the winter.",
  es: "El puerto está en el norte de la ciudad y en invierno llegan muy pocos barcos.",
  fr: "Le port se trouve au nord de la ville et peu de bateaux y viennent pendant l'hiver.",
  hu: "A kikötő a város északi részén van, és télen csak kevés hajó érkezik oda.",
  it: "Il porto si trova a nord della città e d'inverno vi arrivano poche navi.",
  ja: "港は町の北にあり、冬に来る船は少ない。",
  ko: "항구는 도시의 북쪽에 있고 겨울에는 배가 거의 오지 않는다.",
  pl: "Port leży na północy miasta i zimą przypływa tam niewiele statków.",
  ru: "Порт находится на севере города, и зимой туда приходит мало кораблей.",
  zh: "港口在城市的北部,冬天很少有船来。",
};

let identifier: LanguageIdentifier;
before(async () => {
  identifier = await openLanguageIdentifier();
});

for (const [language, text] of Object.entries(TEXTS)) {
  test(`a sentence in ${language} is recognised`, () => {
    assert.equal(identifier.identify(text), language);
  });
}

test("the menu at the top of a page does not decide its language", () => {
  const menu = "Home Login Download Support Forum Blog Shop About Contact Search ".repeat(6);
  assert.equal(identifier.identify(menu + TEXTS["de"]?.repeat(8)), "de");
});

test("a text without words has no language", () => {
  assert.equal(identifier.identify(""), "");
  assert.equal(identifier.identify("1234 5678 --- !!!"), "");
});

const MARKS = " '`\u2019-.,0123\u0130\u03a3\ud83d\ude00";
const LETTER = fc.constantFrom(...Object.values(TEXTS).join(""), ...MARKS);
const WORD = fc.array(LETTER, { maxLength: 12 }).map((letters) => letters.join(""));
const WORDS = fc.array(WORD, { maxLength: 60 }).map((words) => words.join(" "));
const LONG = fc.array(LETTER, { minLength: 60, maxLength: 120 }).map((letters) => letters.join(""));

test("every text has the answer of the package, as its own functions give it", () => {
  const texts = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), WORDS, LONG);
  fc.assert(
    fc.property(texts, (text) => {
      // Of a longer text both are shown the same part.
      const sample = text.slice(0, 200);
      assert.equal(identifier.identify(sample), eld.detect(sample).language);
    }),
    { numRuns: 2000 },
  );
});
