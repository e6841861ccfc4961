/**
 * Ids of agents as words of a subject. Subjects are words between dots, in which a star or a greater-than
 * sign stands for others; so these letters, spaces and whatever a URL would escape are escaped.
 */
import type { AgentId } from "../transport.ts";

export function subjectWord(id: AgentId): string {
  return encodeURIComponent(id).replace(
    /[.*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The id that such a word stands for; null if it stands for none. */
export function idIn(word: string): AgentId | null {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}
