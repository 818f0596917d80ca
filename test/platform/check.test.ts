/** What is said of a platform is checked when a client is made: nothing is sent, and the message says what was meant. */
import * as Platform from "@quartet/sdk/platform"
import { createAdminClient, createPublicClient } from "@quartet/sdk/promise"
import { describe, expect, test } from "vitest"

const refused = (definition: unknown): unknown => {
  try {
    createPublicClient({
      baseUrl: "http://platform.test",
      apiKey: "k",
      // A program without types may pass anything.
      platform: Platform.make(definition as Platform.Definition)
    })
  } catch (error) {
    return error
  }
  return undefined
}

describe("a value of a platform", () => {
  test.each<readonly [unknown, string, string]>([
    [{ signin: {} }, "platform.signin", 'is not an option (did you mean "signIn"?)'],
    [{ lists: { item: 1 } }, "platform.lists.item", "must be text"],
    [{ lists: { totl: "meta.total" } }, "platform.lists.totl", 'is not an option (did you mean "total"?)'],
    [
      { lists: { page: { by: "pages" } } },
      "platform.lists.page.by",
      "must be one of page, offset, cursor, link"
    ],
    [{ lists: { page: { by: "link", first: 0 } } }, "platform.lists.page.first", "is not an option"],
    [
      { lists: { page: { by: "cursor" } } },
      "platform.lists.next",
      "is missing: say where an answer has the cursor"
    ],
    [{ entities: { names: "snake_cas" } }, "platform.entities.names", 'did you mean "snake_case"?'],
    [
      { entities: { fields: { fulName: "name" } } },
      "platform.entities.fields.fulName",
      'did you mean "fullName"?'
    ],
    [{ entities: { numericIds: "yes" } }, "platform.entities.numericIds", "must be true or false"],
    [{ routes: { "orders.serch": {} } }, "platform.routes.orders.serch", 'did you mean "orders.search"?'],
    [
      { routes: { "end-user.requests.update": {} } },
      "platform.routes.end-user.requests.update",
      'must begin with a client, which is one of admin, public, private, endUser (did you mean "endUser"?)'
    ],
    [
      { lists: { parameters: "joined" } },
      "platform.lists.parameters",
      "must be one of comma, repeat, brackets, or { joinedBy }"
    ],
    [
      { routes: { "public.orders.serch": {} } },
      "platform.routes.public.orders.serch",
      "is no call of the SDK"
    ],
    [
      { routes: { "orders.get": { path: "https://evil.test/x" } } },
      "platform.routes.orders.get.path",
      "must be a relative path"
    ],
    [
      { routes: { "orders.get": { path: "a/../b" } } },
      "platform.routes.orders.get.path",
      "must be a relative path"
    ],
    [
      { routes: { "orders.get": { method: "patch" } } },
      "platform.routes.orders.get.method",
      "must be one of GET"
    ],
    [{ dates: "minutes" }, "platform.dates", "must be one of seconds, milliseconds"],
    [{ dates: { read: () => undefined } }, "platform.dates.write", "is missing"],
    [{ entities: { types: { user: "person" } } }, "platform.entities.types.user", 'did you mean "users"'],
    [{ signIn: { refresh: {} } }, "platform.signIn.refresh.path", "is missing"],
    [{ signIn: { admin: { user: {} } } }, "platform.signIn.admin.user.header", "is missing"],
    [{ credentials: { apiKey: {} } }, "platform.credentials.apiKey.header", "is missing"],
    [{ credentials: { csrf: { cookie: "csrf" } } }, "platform.credentials.csrf.header", "is missing"],
    [
      { credentials: { privateKey: { header: "authorization", write: () => "é" } } },
      "platform.credentials.privateKey.write",
      "ASCII text"
    ],
    [
      { credentials: { project: { qeury: "p" } } },
      "platform.credentials.project.qeury",
      'did you mean "query"'
    ],
    [{ signIn: { admin: { user: { coookie: "u" } } } }, "platform.signIn.admin.user.coookie", '"cookie"'],
    [
      { credentials: { apiKey: { qeury: "k" } } },
      "platform.credentials.apiKey.qeury",
      'did you mean "query"'
    ],
    [{ signIn: { fields: { email: "who", password: "who" } } }, "platform.signIn.fields", "two names"],
    [
      {
        credentials: {
          apiKey: { header: "authorization", scheme: "Key", write: (key: string) => `Key ${key}` }
        }
      },
      "platform.credentials.apiKey.scheme",
      "must not stand beside write"
    ],
    [
      { routes: { "users.list": { lists: { page: { by: "page", parameter: "projectId" } } } } },
      "platform.routes.users.list.lists.page.parameter",
      "the query projectId has it already"
    ],
    [
      { lists: { page: { by: "page", parameter: "n", limit: "n" } } },
      "platform.lists.page.parameter",
      "the query n has it already"
    ],
    [
      { credentials: { session: { query: "limit" } } },
      "platform.lists.page.limit",
      "the query limit has it already"
    ],
    [
      { routes: { "users.list": { path: "auth/user?projectId=5" } } },
      "platform.routes.users.list.path",
      "the query projectId has it already"
    ],
    [
      { credentials: { session: { header: "authorization" } } },
      "platform.credentials.session",
      "the header authorization has it already"
    ],
    [{ downloads: {} }, "platform.downloads.redirectTo", "is missing"],
    [{ lists: { parameters: {} } }, "platform.lists.parameters.joinedBy", "is missing"],
    [{ lists: { searches: "url" } }, "platform.lists.searches", "must be one of body, query"],
    [{ dates: { createdAt: "sec" } }, "platform.dates.createdAt", "must be one of seconds, milliseconds"],
    [{ token: "oauth" }, "platform.token", "must be one of jwt, opaque"],
    [{ token: { levels: { edit: 4 } } }, "platform.token.levels.edit", "must be a level"],
    [
      { credentials: { apiKey: false } },
      "platform.credentials.apiKey",
      "must be { header }, { query } or { cookie }"
    ],
    [
      { credentials: { apiKey: { header: "a b" } } },
      "platform.credentials.apiKey.header",
      "must be a header name"
    ],
    [{ credentials: { headers: { "x-v": "é" } } }, "platform.credentials.headers.x-v", "must be ASCII text"],
    [
      { credentials: { apiKey: { header: "x-a" }, session: { header: "X-A" } } },
      "platform.credentials.session",
      "must not stand where something else does: the header x-a has it already"
    ],
    [
      { credentials: { csrf: { header: "x-csrf" } } },
      "platform.credentials.csrf",
      "add the cookie that it repeats, or in pages its value"
    ],
    [{ chat: { refusal: 1 } }, "platform.chat.refusal", "must be a path such as fault.reason, or a function"],
    [{ credentials: { project: { path: "tenants" } } }, "platform.credentials.project.path", "{projectId}"],
    [
      { credentials: { project: { host: "api.test/x{projectId}" } } },
      "platform.credentials.project.host",
      "must be a host"
    ],
    [
      { downloads: { redirectTo: ["https://files.test"] } },
      "platform.downloads.redirectTo.0",
      "must be a host"
    ],
    [{ downloads: { redirectTo: "files.test" } }, "platform.downloads.redirectTo", "must be a list"],
    [{ errors: { status: 400 } }, "platform.errors.status", "must be a function"],
    [{ errors: { message: 1 } }, "platform.errors.message", "must be a path"],
    [{ permissionNames: {} }, "platform.permissionNames", "must be a function"],
    [{ chat: { path: "realtime" } }, "platform.chat.path", "must be a path from /"],
    [{ chat: { url: "ftp://chat.test" } }, "platform.chat.url", "must be an http or https URL"],
    [
      { signIn: { refresh: { path: "//evil.test" } } },
      "platform.signIn.refresh.path",
      "must be a relative path"
    ],
    [
      { signIn: { refresh: { path: "renew", carrier: { headr: "x-rt" } } } },
      "platform.signIn.refresh.carrier.headr",
      'did you mean "header"?'
    ],
    [
      { signIn: { refresh: { path: "renew", carrier: { query: "rt", on: "legacy" } } } },
      "platform.signIn.refresh.carrier.on",
      "the service that is asked is signIn.refresh.host"
    ],
    [
      {
        signIn: { refresh: { path: "renew", carrier: { header: "X-Desk" } } },
        credentials: { headers: { "x-desk": "mine" } }
      },
      "platform.credentials.headers.x-desk",
      "the header x-desk has it already"
    ],
    [
      { signIn: { refresh: { path: "renew?rt=1", carrier: { query: "rt" } } } },
      "platform.signIn.refresh.path",
      "the query rt has it already"
    ],
    ["snake_case", "platform", "must be an object"]
  ])("%j is refused with its field and its rule", (definition, field, rule) => {
    const error = refused(definition)
    expect(error).toMatchObject({ _tag: "InputError", operation: "client", field })
    expect(error).toMatchObject({ rule: expect.stringContaining(rule) })
  })

  test("that is no value of Platform.make is refused", () => {
    const make = () =>
      createPublicClient({ baseUrl: "http://platform.test", apiKey: "k", platform: { lists: {} } as never })
    expect(make).toThrow('"platform" must be what Platform.make of @quartet/sdk/platform answers')
  })

  test("of which everything may be left out is taken, and all of it at once", () => {
    expect(refused({})).toBeUndefined()
    expect(
      refused({
        signIn: { fields: { email: "user" }, legacy: false, refresh: { path: "token" } },
        token: { kind: "jwt", subject: "uid", levels: { view: 1 } },
        permissionNames: (resource: string, action: string) => `${resource}.${action}`,
        credentials: {
          session: { cookie: "sid" },
          csrf: { header: "x-csrf", cookie: "csrf" },
          project: false
        },
        lists: { items: "*", next: { header: "link" }, page: { by: "link" }, parameters: { joinedBy: "|" } },
        entities: {
          unwrap: "data",
          wrap: "data",
          id: "id",
          names: "PascalCase",
          fields: { fullName: "title" }
        },
        errors: { message: "m", field: { header: "x-field" }, code: "c", requestId: "r" },
        dates: { createdAt: "seconds" },
        routes: { "orders.get": { path: "v2/order/{id}?view=full", parameters: { statusIn: "status" } } },
        downloads: { redirectTo: ["*.files.test", "127.0.0.1:8080"] },
        chat: { url: "https://chat.test", namespace: "/desk" }
      })
    ).toBeUndefined()
  })

  test("needs a project that can stand in a host, where it names one there", () => {
    const make = () =>
      createAdminClient({
        baseUrl: "http://platform.test",
        projectId: "My_Project",
        email: "a@b.test",
        password: "x",
        platform: Platform.make({ credentials: { project: { host: "{projectId}.api.test" } } })
      })
    expect(make).toThrow('"projectId" must be small letters, digits and hyphens, as it stands in a host')
  })
})

test("a function that answers a Promise when it is tried ends no process", async () => {
  const rejections: Array<unknown> = []
  const listener = (cause: unknown): void => void rejections.push(cause)
  process.on("unhandledRejection", listener)
  const failing = () => Promise.reject(new Error("no")) as never
  for (const value of [
    { entities: { names: failing } },
    { credentials: { apiKey: { header: "x-key", write: failing } } }
  ] satisfies ReadonlyArray<Platform.Definition>)
    expect(() =>
      createPublicClient({ baseUrl: "http://127.0.0.1:1", apiKey: "k1", platform: Platform.make(value) })
    ).toThrow("must")
  await new Promise((resolve) => setImmediate(resolve))
  process.off("unhandledRejection", listener)
  expect(rejections).toEqual([])
})
