/** The body of every refusal. */
import { object, type Schema, text } from "./schema.ts";

export const REFUSAL_SCHEMA: Schema = object({
  error: object({
    code: text("Stable; docs/errors.md lists all codes."),
    message: text("What happened, and why."),
    remedy: text("What to do about it."),
  }),
});
