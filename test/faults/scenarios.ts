/** The scenarios, in the order of the table. */
import { calls } from "./scenarios/calls.js"
import { cancels } from "./scenarios/cancels.js"
import { chat } from "./scenarios/chat.js"
import { fleet, fleetOverBullmq, fleetOverPgBoss } from "./scenarios/fleet.js"
import { hostile } from "./scenarios/hostile.js"
import { outage } from "./scenarios/outage.js"
import { refunds } from "./scenarios/refunds.js"
import { secrets } from "./scenarios/secrets.js"
import { signIns } from "./scenarios/sign-ins.js"
import { soak } from "./scenarios/soak.js"

export const scenarios = [
  calls,
  cancels,
  refunds,
  outage,
  signIns,
  secrets,
  hostile,
  chat,
  soak,
  fleet,
  fleetOverPgBoss,
  fleetOverBullmq
]
