/** Types for the numbers of a profile that are not whole: shares and exponents. */
import type { ValueType } from "../../../rules/settings/index.ts";

const DECIMAL = /^(?:\d{1,9})?(?:\.\d{1,12})?$/;

/** A decimal number between two bounds, both included. */
export function decimal(min: number, max: number): ValueType<number> {
  return {
    shape: { kind: "text", form: `a number from ${min} to ${max}`, examples: [String(max)] },
    read(given, refuse) {
      const text = given.kind === "scalar" ? given.text : "";
      if (text === "" || text === "." || !DECIMAL.test(text)) {
        refuse(given, "is not a number");
        return undefined;
      }
      const number = Number(text);
      if (number >= min && number <= max) return number;
      refuse(given, number < min ? "is too small" : "is too large");
      return undefined;
    },
    write: String,
  };
}

/** A part of the whole: 0 is none, 1 is all. */
export function share(): ValueType<number> {
  return decimal(0, 1);
}
