/**
 * Puts the sources together into few files, which takes a process a fifth of a second to load instead of
 * half a second for some six hundred. `node scripts/bundle.ts FOLDER` writes them there.
 *
 * A file of sources stays a file of its own name, which leads to the common ones, where somebody asks for
 * it by name: the doors of the package, the programs of threads, and every file that says where it is
 * (`import.meta.url`), for background tasks are found so. To such a file the place of its own name is told.
 */
import { cpSync, globSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { MistakeList, readYaml } from "../src/rules/settings/index.ts";

const ROOT: string = fileURLToPath(new URL("..", import.meta.url));
const SOURCES: string = join(ROOT, "src");
const HERE = "import.meta.url";
const SAYS_WHERE_IT_IS = /^(?! \*).*import\.meta\.url/m;
const PROGRAMS = ["cli/main", "index", "units", "lab/conformance/index"];
const NAMED = /-(program|thread)\.ts$|[\\/]doors[\\/]/;
const TOPOLOGY = "agent/topology/crawl.yaml";
const DATA = [TOPOLOGY, "base/kernels/kernels.wasm"];

/** In the common files, one folder below the root. */
const PLACES = `export const placeOf = (path) => new URL("../" + path, ${HERE}).href;`;

const places: Plugin = {
  name: "places",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^trobar-places$/ }, () => ({ path: "places", namespace: "places" }));
    onLoad({ filter: /^/, namespace: "places" }, () => ({ contents: PLACES }));
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!SAYS_WHERE_IT_IS.test(text)) return null;
      const own = JSON.stringify(nameOf(path).concat(".js"));
      const contents = `import { placeOf } from "trobar-places";\n${text.replaceAll(HERE, `placeOf(${own})`)}`;
      return { contents, loader: "ts" };
    });
  },
};

/** What takes long to make is put in as bytes, and what takes long to read as it was read. */
const packed: Plugin = {
  name: "packed",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]formats[\\/]language[\\/]packed-ngrams\.ts$/ }, async () => {
      const { PACKED_NGRAMS } = await import("../src/formats/language/packed-ngrams.ts");
      const text = JSON.stringify(Buffer.from(PACKED_NGRAMS).toString("base64"));
      return { contents: `export const PACKED_NGRAMS = Buffer.from(${text}, "base64");` };
    });
    onLoad({ filter: /[\\/]rules[\\/]settings[\\/]known-text\.ts$/ }, () => {
      const text = readFileSync(join(SOURCES, TOPOLOGY), "utf8");
      const location = (line: number, column: number) =>
        ({ kind: "file", path: "", line, column }) as const;
      const given = readYaml(text, location, new MistakeList());
      return { contents: `export const KNOWN_TEXT = ${JSON.stringify({ text, given })};` };
    });
  },
};

/** Its path below the sources, without its ending. */
function nameOf(path: string): string {
  return relative(SOURCES, path).replaceAll("\\", "/").replace(/\.ts$/, "");
}

function entryNames(): string[] {
  const named = globSync(join(SOURCES, "**/*.ts")).filter(
    (file) =>
      !/\.(test|fixture)\.ts$/.test(file) &&
      (NAMED.test(file) || SAYS_WHERE_IT_IS.test(readFileSync(file, "utf8"))),
  );
  return [...new Set([...PROGRAMS, ...named.map(nameOf)])].sort();
}

export async function bundle(folder: string): Promise<void> {
  await build({
    entryPoints: Object.fromEntries(
      entryNames().map((name) => [name, join(SOURCES, `${name}.ts`)]),
    ),
    ...{ outdir: folder, bundle: true, splitting: true, chunkNames: "common/[name]-[hash]" },
    ...{ platform: "node", format: "esm", target: "node24", packages: "external" },
    ...{ plugins: [packed, places], logLevel: "warning", legalComments: "none" },
  });
  for (const file of DATA) cpSync(join(SOURCES, file), join(folder, file));
}

const [, program, folder] = process.argv;
if (program === fileURLToPath(import.meta.url) && folder !== undefined)
  await bundle(resolve(folder));
