/** The same with Promises: spans by OpenTelemetry's own SDK. */
import { SpanStatusCode, trace } from "@opentelemetry/api"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { resourceFromAttributes } from "@opentelemetry/resources"
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node"
import * as Telemetry from "@quartet/sdk/adapters/telemetry"
import { type AdminClient, createAdminClient, Errors } from "@quartet/sdk/promise"

// The exporter reads OTEL_EXPORTER_OTLP_ENDPOINT; without it, it sends to http://localhost:4318.
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ "service.name": "inbox" }),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())]
})
provider.register()
const tracer = trace.getTracer("inbox")

// The sandbox and its seeded account, where the environment names no other.
const {
  QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400",
  QUARTET_PROJECT_ID: projectId = "5eed00000000000000000001",
  QUARTET_EMAIL: email = "admin@quartet.test",
  QUARTET_PASSWORD: password = "admin-password"
} = process.env
const configuration = {
  baseUrl,
  projectId,
  email,
  password,
  middleware: [{ effect: Telemetry.spans(tracer) }]
}

const lookInto = (admin: AdminClient) =>
  tracer.startActiveSpan("look into the inbox", async (span) => {
    try {
      const { items } = await admin.requests.list({ statusIn: ["pending"], limit: 3 })
      console.log(`${items.length} requests wait`)
      await admin.requests.get({ id: "missing" })
    } catch (error) {
      if (error instanceof Errors.NotFound) return
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })

try {
  const admin = createAdminClient(configuration)
  try {
    await lookInto(admin)
  } finally {
    await admin.close()
  }
} catch (error) {
  // A call that failed, or a variable that is wrong, is told in a line; anything else is a bug of this program.
  if (!Errors.isCallError(error)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  // Sends what is left. A collector that is away is no failure of the program.
  await provider.shutdown().catch(({ message }: Error) => console.warn(`the spans were not sent: ${message}`))
}
