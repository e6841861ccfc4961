/** What all parts of membership share. */
import type { Clock, Random } from "../../base/seams/index.ts";
import type { Messenger } from "../messages/index.ts";
import type { StateFile } from "../state/index.ts";
import type { OwnLife } from "./life/own-life.ts";
import type { MembershipListener } from "./membership-listener.ts";
import type { MembershipSettings, MembershipTimes } from "./membership-settings.ts";
import type { FailureDetector } from "./view/failure-detector.ts";
import type { MemberTable } from "./view/member-table.ts";
import type { OwnView } from "./view/own-view.ts";

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
  readonly file: StateFile;
  readonly view: OwnView;
}
