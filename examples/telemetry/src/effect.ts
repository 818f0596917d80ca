/** A program with Effect whose traces, metrics and logs go to an OpenTelemetry collector, over OTLP/HTTP. */
import * as Otlp from "@effect/opentelemetry/Otlp"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Telemetry from "@quartet/sdk/adapters/telemetry"
import * as Admin from "@quartet/sdk/admin"
import * as Transport from "@quartet/sdk/transport"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

// The sandbox and its seeded account, where the environment names no other.
const admin = Admin.layerConfig({
  baseUrl: Config.withDefault(Config.string("QUARTET_BASE_URL"), "http://127.0.0.1:4400"),
  projectId: Config.withDefault(Config.string("QUARTET_PROJECT_ID"), "5eed00000000000000000001"),
  email: Config.withDefault(Config.string("QUARTET_EMAIL"), "admin@quartet.test"),
  password: Config.withDefault(Config.redacted("QUARTET_PASSWORD"), Redacted.make("admin-password")),
  middleware: Config.succeed([Telemetry.metrics, Telemetry.logs()]),
  onDrift: Config.succeed(Telemetry.drifts)
})

const collector = Layer.unwrapEffect(
  Effect.map(
    Config.withDefault(Config.string("OTEL_EXPORTER_OTLP_ENDPOINT"), "http://localhost:4318"),
    (baseUrl) => Otlp.layerJson({ baseUrl, resource: { serviceName: "inbox", serviceVersion: "1.0.0" } })
  )
)

const program = Effect.gen(function* () {
  const { items } = yield* Admin.requests.list({ statusIn: ["pending"], limit: 3 })
  yield* Effect.either(Admin.requests.get({ id: "missing" }))
  yield* Effect.log(`${items.length} requests wait`)
}).pipe(Effect.withSpan("look into the inbox"))

const traced = program.pipe(
  Effect.provide(admin),
  Effect.provide(Transport.layer),
  // Outermost, so that what the client does last is told too. It sends what is left when it ends.
  Effect.provide(Layer.provide(collector, FetchHttpClient.layer))
)

// A call that failed, or a variable that is wrong, is told in a line.
process.exitCode = await Effect.runPromise(
  Effect.match(traced, {
    onFailure: (error) => {
      console.error(String(error))
      return 1
    },
    onSuccess: () => 0
  })
)
