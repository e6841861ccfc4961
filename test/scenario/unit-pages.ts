/** The blocks of a page: files to be written, and commands with what they print. */

export interface Block {
  readonly language: string;
  /** The file that the block is; null if it has no name. */
  readonly file: string | null;
  readonly text: string;
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", file = null, text = ""]) => ({ language, file: file || null, text }),
  );
}

export interface Command {
  readonly command: string;
  /** Words that are in what it prints, however they are separated. */
  readonly printed: string;
}

/** `COMMAND   # prints WORDS`. */
export function commandsOf(block: Block): Command[] {
  return block.text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [command = "", printed = ""] = line.split(/ +# prints /);
      return { command, printed };
    });
}
