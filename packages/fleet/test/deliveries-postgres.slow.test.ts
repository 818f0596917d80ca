// What a fleet promises where its store is PostgreSQL, which delivers its pages.
import { describe, vi } from "vitest"
import { postgres } from "./deliveries.js"
import { promisesOfPostgres, suite } from "./promises.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

suite("PostgreSQL", postgres)
describe("a fleet over PostgreSQL", () => promisesOfPostgres(postgres))
