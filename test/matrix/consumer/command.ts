/** The program on Node, Deno and Bun, as modules or with `require`: takes the platform as JSON, prints the outcome. */
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import { run } from "./program.js"

const [, , platform = ""] = process.argv

run(JSON.parse(platform), { undici: () => UndiciTransport.make() }).then((outcome) => {
  console.log(JSON.stringify(outcome))
  process.exit()
})
