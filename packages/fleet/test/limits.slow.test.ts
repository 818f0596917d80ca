// The limits and the shared sessions of a fleet over PostgreSQL: a database of its own for each test.
import { limits } from "./limits.js"
import { database } from "./own-database.js"
import { sessions } from "./sessions.js"

limits("PostgreSQL", database)
sessions("PostgreSQL", database)
