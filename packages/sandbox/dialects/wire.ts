/** A wire that speaks a dialect: each request is read into the platform's own form, each answer written in the dialect's. */
import { isCredential } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { Refusal } from "../platform/refusal.js"
import { plain, type Wire } from "../platform/wire.js"
import type { State } from "../state/state.js"
import * as Answers from "./answers.js"
import { axisNames, type Dialect, standard } from "./axes.js"
import * as Chat from "./chat.js"
import * as Credentials from "./credentials.js"
import { answerOf } from "./errors.js"
import * as Fields from "./fields.js"
import * as Ids from "./ids.js"
import { pageNames } from "./lists.js"
import * as Requests from "./requests.js"
import * as Routes from "./routes.js"
import { makeStorage } from "./storage.js"

/** The wire of a dialect over a state: the sandbox's own changes nothing. */
export const wireOf = (dialect: Dialect, state: State): Wire =>
  axisNames.every((axis) => dialect[axis] === standard[axis]) ? plain : make(dialect, state)

const make = (dialect: Dialect, state: State): Wire => {
  const projectId = state.project._id
  const ids = dialect.ids === "numbers" ? Ids.numbers(projectId) : Ids.texts
  const fields = Fields.make(dialect, ids)
  const credentials = Credentials.make(dialect, state)
  const routes = Routes.make(dialect, projectId)
  const storage = dialect.downloads === "redirect" ? makeStorage() : undefined
  const read = Requests.make(dialect, fields, credentials)
  const names = pageNames(dialect)

  /** Refusals that name fields as the caller does: those of this wire itself. */
  const said = new WeakSet<Refusal>()
  const saying = <A>(effect: Effect.Effect<A, Refusal>): Effect.Effect<A, Refusal> =>
    Effect.tapError(effect, (refusal) => Effect.sync(() => said.add(refusal)))

  /** The name by which the caller knows a field of the platform. */
  const nameOf = (name: string): string => {
    if (name === "page") return names.from
    return name === "limit" ? names.limit : fields.nameOf(name)
  }

  return {
    receive: (request, now) =>
      saying(
        Effect.flatMap(routes.receive(request), (routed) =>
          Effect.map(credentials.receive(routed, now), (received) =>
            "status" in received ? received : { ...routed, ...received }
          )
        )
      ),
    methods: routes.methods,
    read: (...request) => saying(read(...request)),
    answer: Answers.make(dialect, { fields, credentials, storage }),
    refusal: (refusal, requestId, path) => {
      if (said.has(refusal)) return answerOf(dialect, refusal, requestId, path)
      const { code, field, headers = {}, message, status } = refusal
      const named = field === undefined ? {} : { field: field.split(".").map(nameOf).join(".") }
      return answerOf(dialect, new Refusal({ code, message, status, headers, ...named }), requestId, path)
    },
    numbered: (answer, requestId) =>
      dialect.requestId === "body"
        ? answer
        : { ...answer, headers: { ...answer.headers, [dialect.requestId]: requestId } },
    idempotencyKey: dialect.idempotency,
    isCredential: Credentials.isCredentialOf(dialect, isCredential),
    secretParameters: Credentials.secretParametersOf(dialect),
    exposed: [
      ...(dialect.paging === "link" ? ["link", "x-total-count"] : []),
      ...(dialect.requestId === "x-correlation-id" ? ["x-correlation-id"] : [])
    ],
    furtherMethods: routes.further,
    hasCookies: dialect.signIn === "cookie",
    storage,
    idOf: ids.textOf,
    chat: Chat.make(dialect, fields, credentials)
  }
}
