// What a fleet promises where pg-boss delivers its pages.
import { describe, vi } from "vitest"
import { pgBoss } from "./deliveries.js"
import { promisesOfPostgres, promisesOfSharing, suite } from "./promises.js"
import { onceOverWorse } from "./worse.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const deliverer = pgBoss()

// Their items sleep: both wait at the same time.
describe.concurrent("pg-boss", () =>
  onceOverWorse(deliverer, 0, [
    ["takes pages for expired that are worked on", { send: { expireInSeconds: 1, retryLimit: 0 } }],
    [
      "expires pages and delivers them again, three times, and then gives up",
      { send: { expireInSeconds: 1, retryLimit: 3, retryDelay: 0 } }
    ]
  ]))

suite("pg-boss", deliverer)
describe("a fleet over pg-boss", () => promisesOfPostgres(deliverer))
describe("fleets over pg-boss", () => promisesOfSharing(deliverer))
