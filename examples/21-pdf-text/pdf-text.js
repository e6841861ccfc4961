/**
 * A parser for PDF: title and text of documents, and the links in their text. They are then pages like
 * others: `--text` shows their text, filters and the page index know their titles. Install `unpdf` and
 * try it:
 *
 *     npm install unpdf
 *     npx trobar crawl https://example.org/ --pages - --text \
 *       --set 'parse.parsers=[./examples/21-pdf-text/pdf-text.js, html, sitemap, feed, text, binary]'
 *
 * In a program it is `parse: { parsers: [createParser(), "html", …] }`.
 *
 * A parser answers at once, and the library for PDF does not; so it works in another thread, for which
 * the parser waits. A document that takes too long has no text, and the thread is replaced.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

const WAIT_MS_MAX = 10_000;

export function createParser() {
  let thread = null;
  return {
    media: "application/pdf",
    bytesMax: 32 * 1024 * 1024,
    accepts: ({ media, bytes }) =>
      media === "application/pdf" || Buffer.from(bytes.subarray(0, 5)).toString() === "%PDF-",
    read: ({ bytes }) => {
      thread ??= startThread();
      const { port, signal } = thread;
      Atomics.store(signal, 0, 0);
      port.postMessage(bytes);
      if (Atomics.wait(signal, 0, 0, WAIT_MS_MAX) !== "timed-out") {
        return receiveMessageOnPort(port)?.message ?? {};
      }
      void thread.worker.terminate();
      thread = null;
      return {};
    },
  };
}

function startThread() {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./pdf-thread.js", import.meta.url), {
    workerData: { port: port2, signal },
    transferList: [port2],
  });
  // Neither keeps a program from ending.
  worker.unref();
  port.unref();
  return { worker, port, signal };
}
