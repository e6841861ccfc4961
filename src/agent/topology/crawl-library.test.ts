import assert from "node:assert/strict";
import { test } from "node:test";
import { CONFIGURATION_SCHEMA } from "../../rules/config/index.ts";
import { type ProviderDefinition, provider } from "../../topology/unit/index.ts";
import { crawlLibrary } from "./crawl-library.ts";
import { ROLES } from "./roles.ts";

function providersOf(library: ReturnType<typeof crawlLibrary>): ProviderDefinition[] {
  return [...library.units.values()].flatMap((unit) => (unit.kind === "provider" ? [unit] : []));
}

test("every role of a crawl has one provider, which uses roles that others provide", () => {
  const providers = providersOf(crawlLibrary());
  const provided = providers.map(({ provides }) => provides.name).toSorted();
  assert.deepEqual(provided, Object.keys(ROLES).toSorted());
  for (const { name, provides, providers: used } of providers) {
    for (const role of Object.values(used)) {
      assert.ok(provided.includes(role.name), `${name} uses ${role.name}`);
      assert.notEqual(role.name, provides.name);
    }
  }
});

test("what the components of a crawl need, some provider provides", () => {
  const { units } = crawlLibrary();
  const components = [...units.values()].filter(({ kind }) => kind !== "provider");
  assert.ok(components.length > 10);
  for (const { name, providers } of components) {
    for (const { name: role } of Object.values(providers)) {
      assert.ok(Object.hasOwn(ROLES, role), `${name} needs ${role}`);
    }
  }
});

test("settings begin with the values of the configuration that is given", () => {
  const { defaults } = CONFIGURATION_SCHEMA;
  const configuration = { ...defaults, limits: { ...defaults.limits, pages: 77 } };
  const steering = crawlLibrary(null, null, configuration).units.get("steering");
  const settings = steering?.settings as { limits: { pages: { default: unknown; live: boolean } } };
  assert.deepEqual([settings.limits.pages.default, settings.limits.pages.live], [77, true]);
});

test("a topology that is only looked at is not opened", () => {
  const [first] = providersOf(crawlLibrary());
  assert.throws(() => void first?.create({} as never), /only looked at/);
});

test("another store takes the place of the archive under its name, with what it needs of its own", () => {
  const own = provider({
    ...{ name: "mine", provides: ROLES.store, providers: { rules: ROLES.rules } },
    create: () => ({ service: {} as never }),
  });
  const { units } = crawlLibrary(null, null, CONFIGURATION_SCHEMA.defaults, own);
  assert.equal(units.has("mine"), false);
  const store = units.get("warcs");
  assert.ok(store?.kind === "provider" && store.create === own.create);
  assert.deepEqual(Object.keys(store.providers).toSorted(), ["ledger", "rules"]);
});
