/** The units of several lanes, shown as one. */
import type { Told } from "./lane-answers.ts";

type List = Required<Pick<Told, "units" | "connectors">>;
type Unit = List["units"][number];
type Metrics = Unit["metrics"];

/** Counts are added up; what cannot be is that of the first lane. */
export function merged(lanes: readonly Told[]): List {
  const [first, ...others] = lanes;
  const units = (first?.units ?? []).map((unit) => {
    const same = others.flatMap((lane) => lane.units?.find(({ id }) => id === unit.id) ?? []);
    return same.reduce(addUnit, unit);
  });
  const connectors = (first?.connectors ?? []).map((connector) => {
    const same = others.flatMap(
      (lane) => lane.connectors?.find(({ id }) => id === connector.id) ?? [],
    );
    return same.reduce(addConnector, connector);
  });
  return { units, connectors };
}

function addUnit(sum: Unit, one: Unit): Unit {
  return {
    ...sum,
    instances: sum.instances + one.instances,
    inFlight: sum.inFlight + one.inFlight,
    waitingOut: sum.waitingOut + one.waitingOut,
    metrics: addMetrics(sum.metrics, one.metrics),
  };
}

function addMetrics(sum: Metrics, one: Metrics): Metrics {
  const added = Object.entries(sum).map(([name, value]) => {
    const other = one[name];
    return [name, typeof value === "number" && typeof other === "number" ? value + other : value];
  });
  return Object.fromEntries(added);
}

type Connector = List["connectors"][number];

function addConnector(sum: Connector, one: Connector): Connector {
  return {
    ...sum,
    capacity: sum.capacity + one.capacity,
    length: sum.length + one.length,
    dropped: sum.dropped + one.dropped,
  };
}
