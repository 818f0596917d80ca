/** The guard of a development server of Vite, which serves the sources of the project. */
import { Server } from "node:http"
import { Guard } from "@quartet/sdk/extend/http"
import * as Either from "effect/Either"
import type { Plugin } from "vite"

/** Has the server and its socket answer programs and pages of this machine alone, and the hosts of its own configuration. */
export const guard = (): Plugin => ({
  name: "quartet:guard",
  apply: "serve",
  configureServer({ config: { logger, server }, httpServer }) {
    const { allowedHosts = [], host } = server
    const check = Guard.make({
      name: "the development server",
      host: host === true ? "0.0.0.0" : host || "localhost",
      pages: "loopback",
      allowedHosts: allowedHosts === true ? ["*"] : allowedHosts
    })
    if (httpServer instanceof Server)
      Guard.guard(httpServer, Either.getOrThrow(check), (message) => logger.warn(message))
  }
})
