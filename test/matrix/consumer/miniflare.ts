/** Runs a bundled Worker once: takes its file and the platform, prints what it answers. */
import { readFileSync } from "node:fs"
import { Miniflare } from "miniflare"

const [, , file = "", platform = ""] = process.argv

// Without `cf: false` it asks a host outside for the properties of requests.
const options = {
  modules: true,
  script: readFileSync(file, "utf8"),
  compatibilityDate: "2026-07-01",
  cf: false
}
const miniflare = new Miniflare(options)
const response = await miniflare.dispatchFetch("http://worker.test", { method: "POST", body: platform })
console.log(await response.text())
await miniflare.dispose()
