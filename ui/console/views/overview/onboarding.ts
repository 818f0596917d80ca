/** The onboarding of a new project, which the SDK keeps locally, as queries and mutations. */
import * as Effect from "effect/Effect"
import * as Admin from "../../../../clients/admin/index.js"
import { source } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"

const { State } = Admin.onboarding

/** The whole onboarding. */
export const onboarding = admin.query(
  source("onboarding.all", () =>
    Effect.flatMap(State, ({ billing, documents, stats, tasks }) =>
      Effect.all({ tasks, documents, billing, stats })
    )
  )
)

/** Marks a task as complete. */
export const complete = admin.mutation(
  source("onboarding.complete", ({ id }: { readonly id: string }) =>
    Effect.flatMap(State, (state) => state.complete(id))
  )
)

/** Accepts a document on behalf of a person. */
export const accept = admin.mutation(
  source("onboarding.accept", ({ by, id }: { readonly id: string; readonly by: string }) =>
    Effect.flatMap(State, (state) => state.accept(id, by))
  )
)
