// What a fleet promises where BullMQ delivers its pages.
import { describe, vi } from "vitest"
import { bullMq } from "./deliveries.js"
import { promisesOfSharing, suite } from "./promises.js"
import { onceOverWorse } from "./worse.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

suite("BullMQ", bullMq)
describe("fleets over BullMQ", () => promisesOfSharing(bullMq))

// They block this process, so that one runs at a time.
describe("BullMQ", () =>
  onceOverWorse(bullMq, 900, [
    [
      "takes a process that is blocked for dead, and delivers its pages again",
      { worker: { lockDuration: 300, stalledInterval: 300, maxStalledCount: 3 } }
    ],
    [
      "takes a process that is blocked for dead, and gives its pages up",
      { worker: { lockDuration: 300, stalledInterval: 300, maxStalledCount: 0 } }
    ]
  ]))
