/** The Worker in Cloudflare's runtime on this machine. `cf: false`: it asks no host outside for the properties of requests. */
import { readFileSync } from "node:fs"
import { Miniflare } from "miniflare"

const { QUARTET_API_KEY = "qk_public_demo", QUARTET_BASE_URL = "http://127.0.0.1:4400" } = process.env

export const run = (options = {}) =>
  new Miniflare({
    modules: true,
    script: readFileSync("dist/worker.js", "utf8"),
    compatibilityDate: "2025-12-01",
    // The signal of a request tells that its visitor has left. Deployed, the same stands in wrangler.toml.
    compatibilityFlags: ["enable_request_signal"],
    cf: false,
    bindings: { QUARTET_API_KEY, QUARTET_BASE_URL },
    ...options
  })
