/** A client that sends bytes and keeps whatever comes back, without knowing HTTP. */
import { connect } from "node:net";

export interface RawAnswer {
  /** One byte a character. */
  readonly text: string;
  readonly ending: "closed" | "reset" | "enough";
}

export interface RawQuestion {
  readonly port: number;
  readonly address?: string;
  readonly text: string;
  /** Goes away when this holds of what has come. */
  readonly isEnough?: (text: string) => boolean;
}

export function askRaw(question: RawQuestion): Promise<RawAnswer> {
  const { port, address = "127.0.0.1", text, isEnough } = question;
  return new Promise((resolve) => {
    let got = "";
    const socket = connect({ port, host: address }, () => socket.write(text, "latin1"));
    socket.on("data", (bytes) => {
      got += bytes.toString("latin1");
      if (isEnough?.(got) !== true) return;
      socket.destroy();
      resolve({ text: got, ending: "enough" });
    });
    socket.on("error", () => resolve({ text: got, ending: "reset" }));
    socket.on("end", () => resolve({ text: got, ending: "closed" }));
  });
}

export function get(host: string, target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Raw/1 (+mailto:raw@example.org)\r\n\r\n`;
}
