/** Opens the parsing of a lane, with the parsers of users. */
import { openLanguageIdentifier } from "../../formats/language/index.ts";
import { productToken } from "../../formats/robots/index.ts";
import { type DocumentParser, loadParser, Parsing } from "../../parse/page/index.ts";
import { type Configuration, PARSERS } from "../../rules/config/index.ts";
import type { ImportModule } from "../../rules/filter/index.ts";
import { userAgentOf } from "../crawl/network/request-heads.ts";
import type { CrawlWorld } from "./crawl-world.ts";

export async function openParsing(
  configuration: Configuration,
  world: CrawlWorld,
): Promise<Parsing> {
  const { parse, limits } = configuration;
  const modules = await loadParsers(parse.parsers, world.importModule);
  const keeper = await world.keeper.open(configuration, world);
  return new Parsing({
    settings: parse,
    linksMax: limits.linksPerPage,
    urlLengthMax: limits.urlLength,
    robotsToken: productToken(userAgentOf(configuration, world.version)).toLowerCase(),
    crawlKey: world.fingerprintKey,
    clock: world.clock,
    wantsFacts: configuration.store.text,
    wantsText: keeper?.fields.text === true || wantsText(configuration, world),
    language: parse.language ? await openLanguageIdentifier() : null,
    modules,
  });
}

/** Whether somebody looks at the text of pages. */
function wantsText({ store }: Configuration, world: CrawlWorld): boolean {
  return (
    store.text || world.wantsText || world.output?.text === true || world.reader?.text === true
  );
}

/** The parsers of users among these names. */
export async function loadParsers(
  names: readonly string[],
  importModule: ImportModule,
): Promise<Map<string, DocumentParser>> {
  const modules = names.filter((name) => PARSERS.every((own) => own !== name));
  const loaded = modules.map(
    async (name): Promise<[string, DocumentParser]> => [name, await loadParser(name, importModule)],
  );
  return new Map(await Promise.all(loaded));
}
