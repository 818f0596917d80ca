// What a fleet promises where its store is a file, which delivers its pages.
import { vi } from "vitest"
import { inFile } from "./deliveries.js"
import { suite } from "./promises.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

suite("a file", inFile)
