/** Installs the programs that tests run and that this machine lacks, if it is allowed to. */
import { installPrograms } from "../test/support/requirement.ts";

installPrograms();
