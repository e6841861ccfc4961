/** The thread of `pdf-text.js`: reads one document after the other. */
import { workerData } from "node:worker_threads";
import { extractText, getDocumentProxy, getMeta } from "unpdf";

const { port, signal } = workerData;

port.on("message", async (bytes) => {
  port.postMessage(await findingsOf(new Uint8Array(bytes)));
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
});

/** Of a document that cannot be read, nothing. */
async function findingsOf(bytes) {
  try {
    const pdf = await getDocumentProxy(bytes);
    const { text } = await extractText(pdf, { mergePages: true });
    const { info } = await getMeta(pdf);
    const links = text.match(/https?:\/\/[^\s<>()"]+/g) ?? [];
    return { title: info?.Title ?? "", text, links };
  } catch {
    return {};
  }
}
