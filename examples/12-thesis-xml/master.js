/**
 * The other process of the figure, played in this one by a kind of connector: what is received are two
 * hyperlinks, and what is sent is printed.
 */
import { key, LocalConnector, value } from "trobar/units";

const address = key(value.text({ form: "an address", examples: ["localhost:1160"] }), {
  default: "",
  meaning: "An address of the figure.",
});

export const remote = {
  name: "remote",
  settings: {
    capacity: key(value.count({ min: 1, max: 10_000 }), { default: 100, meaning: "Items inside." }),
    listen: address,
    to: address,
  },
  needsCodec: true,
  isOneEnded: true,
  open(type, { capacity, to }) {
    const connector = new LocalConnector(type, { capacity });
    if (to === "") handOut(connector.openInlet());
    else print(connector.openOutlet("master"));
    return connector;
  },
};

function handOut(inlet) {
  inlet.tryOffer(["http://a.test/", "http://b.test/"]);
  inlet.close();
}

function print(outlet) {
  for (let url = outlet.tryTake(); url !== undefined; url = outlet.tryTake()) {
    process.stdout.write(`${url}\n`);
  }
  // A listener may only note what is to be done.
  if (!outlet.isDrained) outlet.whenItems(() => queueMicrotask(() => print(outlet)));
}
