/** The lines, in the order of the table. */
import type { Line } from "./line.js"
import { calls } from "./lines/calls.js"
import { cancels } from "./lines/cancels.js"
import { chat } from "./lines/chat.js"
import { hostile } from "./lines/hostile.js"
import { outage } from "./lines/outage.js"
import { refunds } from "./lines/refunds.js"
import { secrets } from "./lines/secrets.js"
import { signInStorm } from "./lines/sign-ins.js"
import { soak } from "./lines/soak.js"

export const lines: ReadonlyArray<Line> = [
  calls,
  cancels,
  refunds,
  outage,
  signInStorm,
  secrets,
  hostile,
  chat,
  soak
]
