/**
 * The names of .NET types that the XML form has for units and items, and what they mean here. A module
 * under `use` may say so in an export named `types`:
 *
 * ```js
 * export const types = { "Crawler.MSSQLClientDataProvider, CrawlerClient": "sqlite-store" };
 * ```
 *
 * Otherwise a name that is known means itself, `System.Uri` is the type `url`, and of
 * `Namespace.ClassName, Assembly` the name of the class is meant, in kebab case: `class-name`.
 */
import type { Library } from "./library.ts";
import type { TopologyDescription, Written } from "./topology-description.ts";

export type TypeNames = ReadonlyMap<string, string>;

const ITEM_TYPES: TypeNames = new Map([["System.Uri", "url"]]);

/** The same topology with our names for units and types of items. */
export function withOurNames(
  description: TopologyDescription,
  { units }: Pick<Library, "units">,
  types: TypeNames,
): TopologyDescription {
  const ofUnit = (unit: Written): Written => {
    const own = types.get(unit.text) ?? (units.has(unit.text) ? unit.text : null);
    return { ...unit, text: own ?? kebabName(unit.text) };
  };
  const known = new Set(
    [...units.values()].flatMap((unit) =>
      unit.kind === "provider"
        ? []
        : [...Object.values(unit.inputs), ...Object.values(unit.outputs)].map(({ name }) => name),
    ),
  );
  const ofItems = (type: Written): Written => {
    const own = types.get(type.text) ?? (known.has(type.text) ? type.text : null);
    return { ...type, text: own ?? ITEM_TYPES.get(type.text) ?? kebabName(type.text) };
  };
  return {
    ...description,
    providers: description.providers.map((one) => ({ ...one, unit: ofUnit(one.unit) })),
    connectors: description.connectors.map((one) => ({ ...one, type: ofItems(one.type) })),
    components: description.components.map((one) => ({ ...one, unit: ofUnit(one.unit) })),
  };
}

/** `Crawler.HtmlParser, CrawlerClient` is `html-parser`; what is no such name stays as it is. */
export function kebabName(type: string): string {
  const [, name] = /^(?:[\w.+]*[.+])?(\w+)(?:\s*,.*)?$/su.exec(type) ?? [];
  if (name === undefined) return type;
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}
