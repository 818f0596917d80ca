/** The project: listed, read and changed by admins, and read by the owner of a key. */

import { Project } from "@quartet/sdk/extend/models/projects"
import * as Projects from "@quartet/sdk/extend/operations/projects"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { notFound, type Refusal } from "../platform/refusal.js"
import { fieldsOf, row } from "../state/rows.js"
import { select } from "../state/select.js"
import type { State } from "../state/state.js"
import { subjects } from "../state/subjects.js"

/** The project with its providers as they are now. */
const present = (state: State): Project => ({ ...state.project, providers: state.providers.all() })

const projectById = (state: State, id: string): Effect.Effect<Project, Refusal> =>
  id === state.project._id ? Effect.succeed(present(state)) : Effect.fail(notFound("the project"))

export const projects: ReadonlyArray<Handler> = [
  handle(Projects.list, ({ input, state }) => select([present(state)], input)),

  handle(Projects.get, ({ input, state }) => projectById(state, input.id)),

  handle(Projects.update, ({ input, state }) =>
    Effect.gen(function* () {
      const before = yield* projectById(state, input.id)
      const fields = yield* fieldsOf(input.payload)
      const fixed = ["_id", ...subjects.projects.kept]
      const free = Object.entries(fields).filter(([name]) => !fixed.includes(name))
      state.project = yield* row(Project, { ...before, ...Object.fromEntries(free) })
      return present(state)
    })
  ),

  handle(Projects.self, ({ caller, state }) => {
    const { api_key, private_api_key, users, ...known } = present(state)
    // A visitor's key must not reveal the private one.
    return Effect.succeed(
      caller.audience === "public"
        ? { ...known, _id: state.project._id }
        : { ...known, _id: state.project._id, api_key, private_api_key, users }
    )
  })
]
