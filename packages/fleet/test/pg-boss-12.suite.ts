// What a fleet promises over pg-boss 12: run by pg-boss-12.slow.test.ts, under a Node that pg-boss 12 takes.

import { describe, vi } from "vitest"
import { pgBoss } from "./deliveries.js"
import { promisesOfPostgres, promisesOfSharing, suite } from "./promises.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const deliverer = pgBoss(process.env.PG_BOSS)

suite("pg-boss 12", deliverer)
describe("a fleet over pg-boss 12", () => promisesOfPostgres(deliverer))
describe("fleets over pg-boss 12", () => promisesOfSharing(deliverer))
