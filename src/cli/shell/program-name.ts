/** Under which name Trobar was started, for commands that are shown to the user. */
import type { Terminal } from "./terminal.ts";

/** What a user types to start Trobar: npm tells the programs that `npx` starts. */
export function programName(environment: Terminal["environment"]): string {
  const isNpx =
    environment["npm_command"] === "exec" || environment["npm_lifecycle_event"] === "npx";
  return isNpx ? "npx trobar" : "trobar";
}

/** A text with commands in backquotes, each as the user would type it. */
export function asTyped(text: string, program: string): string {
  return text.replaceAll("`trobar ", `\`${program} `);
}
