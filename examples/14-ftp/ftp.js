/**
 * A protocol module for ftp, with the package `basic-ftp` (`npm install basic-ftp`). A folder is
 * answered with a page of links, a file with its bytes. Each request has a connection of its own,
 * with an anonymous login; the crawl decides how often a server is asked.
 */
import { PassThrough } from "node:stream";
import { Client, FTPError } from "basic-ftp";

const TYPES = { html: "text/html", htm: "text/html", txt: "text/plain", csv: "text/csv" };

export function createProtocol() {
  return {
    async fetch({ url, address, port, headers, limits, signal }) {
      const client = new Client(limits.totalTimeoutMs);
      // When the crawl gives up on a request, its connection is closed.
      signal.addEventListener("abort", () => client.close(), { once: true });
      try {
        // To the address that was checked, not to the name. For file transfers, too, the package
        // connects to no other address, whatever the server says.
        await client.connect(address, port);
        const mail = new Map(headers).get("From") ?? "crawler@";
        await client.login("anonymous", mail);
        await client.useDefaultSettings();
        const path = decodeURIComponent(new URL(url).pathname);
        return path.endsWith("/") ? await folder(client, path) : await file(client, path);
      } catch (error) {
        client.close();
        // 550: there is no such file, or it may not be read. Anything else is tried again.
        if (error instanceof FTPError && error.code === 550) return { status: 404 };
        throw error;
      }
    },
  };
}

async function folder(client, path) {
  await client.cd(path);
  const entries = await client.list();
  client.close();
  const links = entries
    .filter(({ isFile, isDirectory }) => isFile || isDirectory)
    .map(({ name, isDirectory }) => {
      const link = `./${encodeURIComponent(name)}${isDirectory ? "/" : ""}`;
      return `<li><a href="${link}">${name.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</a>`;
    });
  return {
    headers: { "Content-Type": "text/html; charset=utf-8" },
    body: `<!doctype html><ul>${links.join("\n")}</ul>`,
  };
}

async function file(client, path) {
  // Also asked before the file, since a folder without its slash has no size: it is redirected.
  const isFolder = await client.cd(path).then(
    () => true,
    () => false,
  );
  if (isFolder) {
    client.close();
    return {
      status: 301,
      headers: { Location: `${path.split("/").map(encodeURIComponent).join("/")}/` },
    };
  }
  // Fails with 550 before the answer if there is no such file.
  const size = await client.size(path);
  const modified = await client.lastMod(path).catch(() => null);
  return {
    headers: {
      "Content-Type": TYPES[path.split(".").at(-1).toLowerCase()] ?? "application/octet-stream",
      "Content-Length": String(size),
      ...(modified && { "Last-Modified": modified.toUTCString() }),
    },
    body: download(client, path),
  };
}

/** The pieces of a file as they arrive. */
async function* download(client, path) {
  const pieces = new PassThrough();
  const done = client.downloadTo(pieces, path).then(
    () => pieces.end(),
    (error) => pieces.destroy(error),
  );
  try {
    yield* pieces;
    await done;
  } finally {
    client.close();
  }
}
