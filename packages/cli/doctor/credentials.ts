/** Checks of the credentials: whether the platform accepts those of each client, and what the admin's token permits. */

import * as Admin from "@quartet/sdk/admin/client"
import {
  type Authorization,
  type CallOptions,
  callOf,
  isCallError,
  isProcessed,
  sliceOf
} from "@quartet/sdk/extend"
import { described } from "@quartet/sdk/extend/description"
import * as Auth from "@quartet/sdk/extend/operations/auth"
import * as Projects from "@quartet/sdk/extend/operations/projects"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { clientFor, type Failure, type Platform } from "../configuration.js"
import { audiences, type ClientName } from "../connection.js"
import { codes, endingOf } from "../exit.js"
import { type Finding, failed, ok, warning } from "./finding.js"

/** What an admin's token permits of one resource: the calls, by their names in it. */
export interface Permission {
  readonly resource: string
  readonly permitted: ReadonlyArray<string>
  readonly denied: ReadonlyArray<string>
}

/** One quick attempt: a doctor does not wait, and tells of each answer that is not as it is declared. */
const options: CallOptions = { answers: "strict", policy: { attempts: 1, deadline: 10_000 } }

/** What grants permit, as the client reads them: undefined where it leaves that to the platform. */
export const permissionsOf = (
  grants: unknown,
  authorization: Pick<Authorization, "verdict"> | undefined
): ReadonlyArray<Permission> => {
  const calls = described.flatMap(({ audience, declared: { requires }, name }) =>
    audience === "admin" && requires !== undefined ? [{ name, requires }] : []
  )
  const resources = [...new Set(calls.map(({ name }) => sliceOf(name)))]
  return resources.map((resource) => {
    const own = calls.filter(({ name }) => sliceOf(name) === resource)
    const allowed = own.filter(
      ({ name, requires }) => authorization?.verdict(name, requires, grants).allowed !== false
    )
    return {
      resource,
      permitted: allowed.map(({ name }) => callOf(name)),
      denied: own.filter((operation) => !allowed.includes(operation)).map(({ name }) => callOf(name))
    }
  })
}

/** The calls that open a session. */
const signIns: ReadonlyArray<string> = ["auth.login", "auth.legacyLogin", "auth.refresh"]

/** What to do about a platform whose answers are not as the SDK reads them. */
const adapt =
  "Say how the platform differs: quartet adapt recognises it, and writes the module for --platform."

/** Whether an error is that of a call that opens a session: whatever the answer was, none was accepted. */
const isOfSignIn = (error: Failure): boolean => isCallError(error) && signIns.includes(error.operation)

/** Whether a sign-in may have failed for the form of its request or its answer: it was not refused as such. */
const isOtherForm = (error: Failure): boolean => {
  if (!isCallError(error)) return false
  const isUnread = error.status === undefined || [400, 404, 405, 422].includes(error.status)
  return error._tag === "CredentialsError"
    ? error.reason === "Malformed" || (error.reason === "Rejected" && isUnread)
    : isOfSignIn(error) &&
        (error._tag === "AnswerError" || error._tag === "NotFound" || error._tag === "Rejected")
}

/** What to do about credentials that are refused: they are wrong, or not where the platform looks for them. */
const elsewhere = `Check the credentials in the environment or in the file. If they are right, the sign-in takes other fields (signIn.fields), or requests carry credentials elsewhere (credentials). ${adapt}`

/** Whether an error says that credentials were refused. */
const isOfCredentials = (error: Failure): boolean =>
  isCallError(error) && (error._tag === "Unauthenticated" || error._tag === "CredentialsError")

/** What the platform made of an end user's session: one that may not even read itself may have been taken for that of nobody. */
const userFindingOf = (check: string, error: Failure): Finding =>
  isCallError(error) && error._tag === "PermissionDenied" && !isOfSignIn(error)
    ? warning(
        check,
        `may not read who it is, so whether the session was accepted is not known (${error.message})`,
        `If end users may do so, the session stands elsewhere: credentials.session or credentials.endUserSession says where. ${adapt}`
      )
    : findingOf(check, error)

/** What the platform made of a client's credentials. */
const findingOf = (check: string, error: Failure): Finding => {
  const { code, message, next } = endingOf("doctor", error)
  if (isOtherForm(error))
    return failed(
      check,
      message,
      `Check the credentials. If they are right, the sign-in has another form. ${adapt}`,
      code === codes.credentials ? code : 1
    )
  const isAccepted =
    isCallError(error) &&
    !isOfSignIn(error) &&
    ["NotFound", "PermissionDenied", "Rejected", "AnswerError", "Conflict"].includes(error._tag) &&
    isProcessed(error.status ?? 200)
  // An answer that is not as the SDK knows it: another read is done all the same.
  if (isAccepted && error._tag === "AnswerError" && error.reason !== "Redirect")
    return warning(check, `accepted, but the answer differs: ${message}`, adapt)
  if (!isAccepted && isOfCredentials(error))
    return failed(check, message, elsewhere, code === codes.credentials ? code : 1)
  if (!isAccepted)
    return failed(check, message, next ?? "Check the configuration.", code === codes.credentials ? code : 1)
  return error._tag === "NotFound"
    ? warning(check, `accepted, but ${message}`, "Check QUARTET_PROJECT_ID.")
    : ok(check, `accepted (${message})`)
}

/** Shows the credentials of a client to the platform, by a read. */
export const credentials = (platform: Platform, client: Exclude<ClientName, "admin">) => {
  const check = `credentials of the ${client} client`
  return clientFor(platform, audiences[client]).pipe(
    Effect.flatMap(({ dispatcher }) =>
      client === "end-user"
        ? dispatcher.call(Auth.self, {}, options)
        : dispatcher.call(Projects.self, {}, options)
    ),
    Effect.match({
      onFailure: (error: Failure) =>
        client === "end-user" ? userFindingOf(check, error) : findingOf(check, error),
      onSuccess: () => ok(check, "accepted")
    }),
    Effect.scoped
  )
}

/** The same for the admin, whose token says what it permits. */
export const adminCredentials = (platform: Platform) => {
  const check = "credentials of the admin client"
  return Effect.gen(function* () {
    const { dispatcher, projectId, session } = yield* Admin.Client
    const { grants } = yield* Effect.clockWith(session.getCredentials)
    // A session that was given has not been shown to the platform before this.
    const read = yield* Effect.either(dispatcher.call(Projects.get, { id: projectId }, options))
    const finding = Either.match(read, {
      onLeft: (error) => findingOf(check, error),
      onRight: () => ok(check, "accepted")
    })
    return {
      finding,
      permissions: finding.status === "failed" ? [] : permissionsOf(grants, dispatcher.settings.authorization)
    }
  }).pipe(
    Effect.provide(platform.admin),
    Effect.catchAll((error: Failure) => Effect.succeed({ finding: findingOf(check, error), permissions: [] }))
  )
}
