/** Reads the journals of answers, for those who check a crawl directory. */
import { checkLog, type TellOfLog } from "../../base/log/index.ts";
import { answered, type FileName, type Storage } from "../../base/seams/index.ts";
import { readFrame } from "./answer-frames.ts";
import { ANSWERS_FOLDER } from "./answer-journal.ts";

const FILE = /^(.+?)(?:\.\d+)?\.(manifest|log)$/;

/** Whether they are as they were written; what is not is told. */
export async function checkAnswers(storage: Storage, tell: TellOfLog): Promise<boolean> {
  let isWhole = true;
  const told: TellOfLog = (...problem) => {
    isWhole = false;
    tell(...problem);
  };
  const files = await answered<readonly FileName[]>((done) => storage.list(ANSWERS_FOLDER, done));
  const kinds = Map.groupBy(files, (file) => FILE.exec(file)?.[1] ?? "");
  for (const [name, parts] of kinds) {
    // A log has its manifest before it has anything else.
    if (name !== "" && !parts.includes(`${name}.manifest`)) {
      told(`${name}.log`, null, "its manifest is missing");
    } else if (name !== "") await checkLog({ storage, name, from: null, to: null }, isFrame, told);
  }
  return isWhole;
}

function isFrame(payload: Uint8Array): boolean {
  try {
    return readFrame(payload) !== null;
  } catch {
    return false;
  }
}
