// A store that the first fleet has left in PostgreSQL.
import { vi } from "vitest"
import { migrations } from "./migration.js"
import { database } from "./own-database.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

migrations("PostgreSQL", database)
