/**
 * The command line: what users type, and what they see.
 *
 * `main.ts` is the edge of the process; `shell/run.ts` decides which command a line asks for and
 * runs it with the `Terminal` that is passed in. Two tables hold all names:
 * `shell/command-table.ts` the commands (including those to come) and `shell/flag-table.ts` the
 * flags with the keys they set; help, parsing and suggestions are made from them. A command's code
 * is imported when it runs, so that `--help` costs little more than starting Node.
 *
 * Mistakes of the command line and of the configuration are shown together, all at once, and end
 * with exit code 2. Results go to standard output, everything else to standard error.
 *
 * A word of this module: *launcher*, the process of an older Node that starts the newer one and
 * waits for it, where a process cannot be replaced.
 *
 * Read `shell/run.ts` first, then `inspect/inspect-config.ts` as the pattern of a command.
 */
export {};
