/** The program in a Worker: takes the platform as a request's body, answers the outcome. */
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import { run } from "./program.js"

export default {
  fetch: async (request: Request): Promise<Response> =>
    Response.json(await run(await request.json(), { undici: () => UndiciTransport.make() }))
}
