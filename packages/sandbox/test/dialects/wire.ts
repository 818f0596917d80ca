/** Bare requests to a sandbox in any dialect, and what stands where in an answer. */
import { Effect } from "effect"
import { accounts } from "../../index.js"

/** An answer as it came. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, where it is JSON of any kind. */
  readonly body: unknown
}

type Sent = Readonly<Record<string, string>>

/** Sends a request; a body is JSON. */
export const ask = (
  url: string,
  target: string,
  {
    body,
    headers = {},
    method = "GET"
  }: { readonly method?: string; readonly headers?: Sent; readonly body?: unknown } = {}
): Effect.Effect<Answered> =>
  Effect.promise(async () => {
    const isText = typeof body === "string"
    const response = await fetch(`${url}${target}`, {
      method,
      redirect: "manual",
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    const isJson = /[/+]json\b/.test(response.headers.get("content-type") ?? "")
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined
    }
  })

/** What stands at a path of a body. */
export const at = (body: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => Object(value)[name], body)

/** Text at a path. */
export const textAt = (body: unknown, path: string): string => String(at(body, path))

/** A list at a path. */
export const listAt = (body: unknown, path: string): ReadonlyArray<unknown> => {
  const list = path === "" ? body : at(body, path)
  return Array.isArray(list) ? list : []
}

/** The API key where most dialects have it. */
export const key: Sent = { "x-api-key": accounts.apiKey }

/** What most dialects are signed in to with. */
export const account = accounts.admin

/** What dialects with one sign-in are signed in to with. */
export const renamedAccount = { username: account.email, pass: account.password }

/** Credentials of an admin from the two sign-ins. */
export const twoSignIns = (
  url: string,
  tokenAt = "accessToken",
  sessionAt = "sessionId"
): Effect.Effect<{ readonly authorization: string; readonly "x-session-id": string }> =>
  Effect.gen(function* () {
    const login = yield* ask(url, "/auth/admin/login", { method: "POST", body: account })
    const legacy = yield* ask(url, "/auth/login", { method: "POST", body: account })
    return {
      authorization: `Bearer ${textAt(login.body, tokenAt)}`,
      "x-session-id": textAt(legacy.body, sessionAt)
    }
  })

/** The project in the query. */
export const project = `projectId=${accounts.projectId}`
