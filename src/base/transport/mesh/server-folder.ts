/** The files of a managed server, in a folder that only their owner can look into. */
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  makeFolder,
  parseChecked,
  printChecked,
  readText,
  removeFile,
  writePrivate,
} from "../../folder/index.ts";
import { keyDigest } from "./certificate.ts";
import type { JoinToken } from "./join-token.ts";
import {
  printServerConfiguration,
  type ServerFiles,
  type ServerSettings,
} from "./server-configuration.ts";

type FreeSettings = Omit<ServerSettings, "password" | "keyDigest" | "files">;

export class ServerFolder {
  readonly files: ServerFiles;
  /** The path of the server's configuration. */
  readonly configuration: string;
  readonly #token: JoinToken;
  readonly #path: string;
  readonly #portsFile: string;

  /** Makes the folder; `path` is absolute. */
  constructor(path: string, token: JoinToken) {
    makeFolder(path);
    chmodSync(path, 0o700);
    this.files = {
      certificate: join(path, "certificate.pem"),
      key: join(path, "key.pem"),
      log: join(path, "server.log"),
      process: join(path, "server.pid"),
      ports: path,
    };
    this.configuration = join(path, "server.conf");
    this.#portsFile = join(path, "ports.json");
    this.#token = token;
    this.#path = path;
    this.removeOldLogs();
    writePrivate(this.files.certificate, token.certificate, false);
    writePrivate(this.files.key, token.key, false);
  }

  /** The server never removes a log that it has put aside, and strangers can make it write many. */
  removeOldLogs(): void {
    for (const name of readdirSync(this.#path)) {
      if (name.startsWith("server.log.")) removeFile(join(this.#path, name));
    }
  }

  configure(settings: FreeSettings): void {
    const { password, certificate } = this.#token;
    const secrets = { password, keyDigest: keyDigest(certificate), files: this.files };
    writePrivate(this.configuration, printServerConfiguration({ ...settings, ...secrets }), false);
  }

  /** The port at which others have reached this agent before; null if it is not known. */
  lastRoutesPort(): number | null {
    const port = parseChecked(readText(this.#portsFile) ?? "", "must-have")?.["routes"];
    return typeof port === "number" ? port : null;
  }

  keepRoutesPort(port: number): void {
    if (port !== this.lastRoutesPort()) {
      writePrivate(this.#portsFile, printChecked({ routes: port }), false);
    }
  }
}
