/** What all parts of membership share. */
import type { Clock, Random } from "../../base/seams/index.ts";
import type { Messenger } from "../messages/index.ts";
import type { ClusterFile } from "./cluster-file.ts";
import type { FailureDetector } from "./failure-detector.ts";
import type { MemberTable } from "./member-table.ts";
import type { MembershipListener } from "./membership-listener.ts";
import type { MembershipSettings, MembershipTimes } from "./membership-settings.ts";
import type { OwnLife } from "./own-life.ts";
import type { OwnView } from "./own-view.ts";

export interface Core {
  readonly clock: Clock;
  readonly random: Random;
  readonly messenger: Messenger;
  readonly settings: MembershipSettings;
  readonly times: MembershipTimes;
  readonly listener: MembershipListener;
  readonly life: OwnLife;
  readonly table: MemberTable;
  readonly detector: FailureDetector;
  readonly file: ClusterFile;
  readonly view: OwnView;
}
