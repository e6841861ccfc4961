/** What is kept of the text of a page, if it is a page that says something and may be kept. */
import type { KeptText } from "../../store/texts/index.ts";
import type { PageVisit } from "./page-visit.ts";

/** `keepsText` is false where only the words of the text are wanted. */
export function keptText({ page, record }: PageVisit, keepsText: boolean): KeptText | null {
  const parsed = page?.parsed ?? null;
  // A page that asks not to be archived, or that the filter refused, leaves nothing of its content.
  if (parsed === null || record.kept?.fetched.keep !== "whole") return null;
  const { title, description, canonical, words, encoding: charset } = parsed;
  const text = keepsText ? parsed.text : "";
  const isEmpty = text === "" && title === "" && description === "" && (words?.size ?? 0) === 0;
  if (charset === "" || isEmpty) return null;
  return {
    ...{ url: record.facts.url, title, description, charset, canonical, text, words },
    language: parsed.language || parsed.declaredLanguage,
    ...(parsed.declared ?? NOTHING_DECLARED),
  };
}

const NOTHING_DECLARED = { alternates: [], published: "", modified: "", types: [] };
