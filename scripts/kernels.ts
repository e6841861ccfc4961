/**
 * Compiles the kernels. `node scripts/kernels.ts [FILE]` writes the module there, without FILE to
 * its place among the sources; the same sources always give the same bytes.
 */
import { spawnSync } from "node:child_process";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT: string = fileURLToPath(new URL("..", import.meta.url));
const ENTRY: string = join(ROOT, "kernels/index.ts");
const OPTIONS = "--runtime stub --enable simd -O3 --noAssert --use abort= --pedantic".split(" ");

/** Where the program reads the module. */
export const KERNELS_FILE = "src/base/kernels/kernels.wasm";

/** Throws with what the compiler says if it finds a mistake. */
export function compileKernels(file: string, entry: string = ENTRY): void {
  const compiler = fileURLToPath(import.meta.resolve("assemblyscript/package.json"));
  // It takes only paths that are relative to its folder.
  const paths = [relative(ROOT, entry), "--outFile", relative(ROOT, file)];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(dirname(compiler), "bin/asc.js"), ...paths, ...OPTIONS],
    { cwd: ROOT, encoding: "utf8" },
  );
  if (status !== 0 || stderr !== "") throw new Error(`${entry}: ${stdout}${stderr}`);
}

const [, program, file = KERNELS_FILE] = process.argv;
if (program === fileURLToPath(import.meta.url)) compileKernels(join(process.cwd(), file));
