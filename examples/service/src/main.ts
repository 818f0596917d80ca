/** Serves until it is told to stop: then it takes no more requests, finishes those under way, and signs out of nothing. */
import { createServer } from "node:http"
import * as HttpServer from "@effect/platform/HttpServer"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { clients } from "./clients.js"
import { router } from "./http.js"

const server = NodeHttpServer.layerConfig(createServer, {
  port: Config.withDefault(Config.integer("PORT"), 3000)
})

const stopping = Layer.scopedDiscard(Effect.addFinalizer(() => Effect.log("Stopped")))

const service = HttpServer.serve(router).pipe(
  HttpServer.withLogAddress,
  Layer.provide([server, clients]),
  Layer.provideMerge(stopping)
)

// Interrupts the layer on SIGINT and SIGTERM, and waits for its finalizers.
NodeRuntime.runMain(Layer.launch(service))
