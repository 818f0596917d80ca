/** The project of the key, read on demand once (specification, point 1). */
import * as OnDemand from "../../core/kernel/session/on-demand.js"
import type { Project } from "../../core/projects/model.js"
import * as Projects from "../../core/projects/operations.js"
import { Client } from "./client.js"

/** The project of the key. @category operations */
export const project: OnDemand.OnDemand<Project, Client> = /*#__PURE__*/ OnDemand.make(
  Client,
  ({ dispatcher }) => dispatcher.call(Projects.self, {})
)
