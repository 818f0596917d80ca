/** A first attempt at a page in a process of its own, which the test kills. */
import { MockActivityEnvironment } from "@temporalio/testing"
import { work } from "./numbers.js"

const [store = "", platform = "", run = "", page = ""] = process.argv.slice(2)
const { activities } = work(store, platform)
await new MockActivityEnvironment().run(() => activities.workOnPage(run, Number(page)))
