/** Changes that concern several components are made while none of them takes items. */
import type { ComponentUnit } from "../units/component-unit.ts";

export async function whileSuspended(
  components: readonly ComponentUnit[],
  change: () => Promise<void>,
  from = 0,
): Promise<void> {
  const component = components[from];
  if (component === undefined) await change();
  else await component.whileSuspended(() => whileSuspended(components, change, from + 1));
}
