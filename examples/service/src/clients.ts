/** The admin client of this service, from its environment; the sandbox's account where nothing is set. */
import * as Admin from "@quartet/sdk/admin"
import * as Transport from "@quartet/sdk/transport"
import * as Config from "effect/Config"
import * as Layer from "effect/Layer"

const variable = (name: string, fallback: string): Config.Config<string> =>
  Config.withDefault(Config.string(`QUARTET_${name}`), fallback)

export const clients = Admin.layerConfig({
  baseUrl: variable("BASE_URL", "http://127.0.0.1:4400"),
  projectId: variable("PROJECT_ID", "5eed00000000000000000001"),
  email: variable("EMAIL", "admin@quartet.test"),
  password: variable("PASSWORD", "admin-password"),
  // Reads are made again by themselves, also after a 5xx: at most four attempts in ten seconds.
  policy: Config.succeed({ attempts: 4, deadline: "10 seconds" })
}).pipe(Layer.provide(Transport.layer))
