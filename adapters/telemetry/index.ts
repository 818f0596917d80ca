/**
 * Telemetry of clients, each part to be asked for: metrics and logs of their calls as middleware, of drift as `onDrift`, of
 * the chat as a socket; and spans for programs that have OpenTelemetry's own tracer instead of Effect's.
 */
export type { Ending } from "./ending.js"
export { type Levels, logs } from "./logs.js"
export { drifts, layerChatSocket, makeChatSocket, metrics } from "./metrics.js"
export {
  type OpenTelemetryContext,
  type OpenTelemetrySpan,
  type OpenTelemetryTracer,
  spans
} from "./spans.js"
