/**
 * Runs a topology of your own, which need not be a crawl, and says on standard error what its units
 * measured. Try it with one of the next examples:
 *
 *   node examples/06-run-topology.js examples/07-host-addresses/topology.yaml
 */
import { runTopology } from "trobar/units";

for (const { id, metrics } of await runTopology(process.argv[2] ?? "topology.yaml")) {
  const counts = Object.entries(metrics).filter(([name]) => name !== "busyMs");
  const measured = counts.map(([name, count]) => `${count} ${name}`).join(", ");
  process.stderr.write(`${id}: ${measured}\n`);
}
