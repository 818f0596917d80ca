// Wrong uses of calls, each with what the compiler has to say of it: words that a reader understands, and in which the mistake is named.

/** A wrong call, as both faces take it, and what its message holds. */
export interface Mistake {
  readonly client: "admin" | "endUser" | "server" | "visitor"
  /** The call and its arguments: `requests.list({ … })`. */
  readonly call: string
  readonly says: ReadonlyArray<string>
}

const of =
  (client: Mistake["client"]) =>
  (call: string, ...says: ReadonlyArray<string>): Mistake => ({ client, call, says })

const admin = of("admin")
const endUser = of("endUser")
const server = of("server")
const visitor = of("visitor")

export const mistakes: ReadonlyArray<Mistake> = [
  // Bodies
  admin('payments.refund({ id: "p1", payload: { amout: 5 } })', "'amout'", "did you mean to write 'amount'"),
  admin('payments.refund({ id: "p1", payload: { amount: "5" } })', "'string'", "'number'"),
  admin('payments.refund({ id: "p1", payload: 5 })', "'number'", "RefundBody"),
  admin('payments.refund({ id: "p1", amount: 5 })', "'amount'", "does not exist"),
  admin("payments.refund({ payload: { amount: 5 } })", "'id'", "missing"),
  server(
    'payments.payWithLink({ payload: { amount: 5, curency: "USD" } })',
    "'curency'",
    "did you mean to write 'currency'"
  ),
  server("payments.payWithLink({ payload: {} })", "'{}'", "NewLink"),
  server(
    'notifications.sendInApp({ payload: { titel: "Hello" } })',
    "'titel'",
    "did you mean to write 'title'"
  ),
  server('notifications.pushToUsers({ payload: { userIds: "u1" } })', "'string'", "readonly string[]"),
  admin('notifications.send({ payload: { toAll: "yes" } })', "'string'", "boolean"),
  admin('users.create({ payload: { fullName: "Ana" } })', "'email'", "missing"),
  admin('users.create({ payload: { email: Input.raw("a@b.c") } })', "'Raw'", "'string'"),
  admin('payments.refund({ id: "p1", payload: { amount: Input.raw(5) } })', "'Raw'", "number"),
  admin('notifications.send({ payload: { toAll: true, channel: "carrier" } })', '"carrier"', '"EMAIL"'),
  admin(
    'models.create({ payload: { apiId: "a", fields: [{ apiId: "t", tipe: "TEXT" }] } })',
    "'tipe'",
    "type?:"
  ),
  endUser('orders.search({ payload: { status: "payed" } })', '"payed"', '"paid"'),
  visitor('items.search({ payload: { limit: "1" } })', "'string'", "'number'"),
  admin(
    'users.create({ payload: { email: "a@b.test", fulName: "Ana" } })',
    "'fulName'",
    "did you mean to write 'fullName'"
  ),
  admin(
    'users.create({ payload: { email: "a@b.test", interests: "quiet" } })',
    "'string'",
    "readonly string[]"
  ),
  admin('users.update({ id: "u1", payload: { _id: "u2" } })', "'_id'", "does not exist"),
  admin('users.update({ id: "u1", payload: { createdAt: new Date() } })', "'createdAt'", "does not exist"),
  admin('users.update({ payload: { city: "Batumi" } })', "'id'", "missing"),
  admin('admins.create({ payload: { email: "a@b.test" } })', "'password'", "missing"),
  admin(
    'roles.create({ payload: { name: "Desk", permission: ["p1"] } })',
    "'permission'",
    "did you mean to write 'permissions'"
  ),
  admin('roles.update({ id: "r1", payload: { permissions: "p1" } })', "'string'", "readonly string[]"),
  admin('models.create({ payload: { name: "News" } })', "'apiId'", "missing"),
  admin(
    'models.addField({ id: "m1", payload: { apiID: "title" } })',
    "'apiID'",
    "did you mean to write 'apiId'"
  ),
  admin('orders.update({ payload: { _id: "o1", total: 0 } })', "'total'", "does not exist"),
  admin('orders.update({ payload: { status: "paid" } })', "'_id'", "missing"),
  admin(
    'requests.update({ id: "r1", payload: { stauts: "confirmed" } })',
    "'stauts'",
    "did you mean to write 'status'"
  ),
  admin('requests.update({ id: "r1", payload: { comments: [] } })', "'comments'", "does not exist"),
  admin('requests.addComment({ id: "r1", payload: "Thanks" })', "'string'", "NewComment"),
  admin(
    'conversations.update({ id: "c1", payload: { topics: "Sales" } })',
    "'topics'",
    "did you mean to write 'topic'"
  ),
  admin('projects.update({ id: "p1", payload: { api_key: "k" } })', "'api_key'", "does not exist"),
  admin('content.reorder({ payload: { order: ["e1"] } })', "'order'", "does not exist"),
  admin('content.update({ id: "e1", payload: "A title" })', "'string'", "ContentFields"),
  admin('entities.create({ kind: "flat", payload: 5 })', "'number'", "object"),
  admin('providers.activate({ providerId: "p1", payload: true })', "'true'", "object"),
  admin('preferences.set({ key: "theme", payload: null })', "'null'"),
  endUser('requests.review({ id: "r1", payload: 5 })', "'number'", "object"),
  endUser('requests.create({ payload: { title: "The lift" } })', "'type'", "missing"),
  endUser('requests.confirm({ payload: { id: "r1", accepted: "yes" } })', "'string'", "boolean"),
  endUser('auth.update({ payload: { status: "active" } })', "'status'", "does not exist"),
  endUser('profile.update({ payload: { email: "a@b.test" } })', "'email'", "does not exist"),
  endUser('events.update({ id: "e1", payload: { startsAt: "soon" } })', "'string'", "'Date'"),
  visitor('auth.signup({ payload: { email: "a@b.test" } })', "'password'", "missing"),
  visitor("boxes.create({ payload: { type: 5 } })", "'number'", "type"),
  // Lists
  admin('requests.list({ statusesIn: ["pending"] })', "'statusesIn'", "did you mean to write 'statusIn'"),
  admin('requests.list({ status: ["pending"] })', "'status'", "does not exist"),
  admin('requests.list({ limit: "5" })', "'string'", "'number'"),
  admin('requests.list({ page: "last" })', "'string'", "'number'"),
  admin('requests.list({ statusIn: ["pendng"] })', "'\"pendng\"'", '"pending"'),
  admin('requests.list({ statusIn: "pending" })', "'string'", "readonly"),
  admin('requests.list({ typeIn: ["MAINTAINANCE"] })', "'\"MAINTAINANCE\"'", '"MAINTENANCE"'),
  admin("requests.list({ query: { since: { from: 1 } } })", "from", "QueryValue"),
  admin('requests.list({ query: "status=pending" })', "'string'", "'Query'"),
  admin('payments.list({ statusIn: ["paid"] })', "'\"paid\"'", '"succeeded"'),
  admin('payments.list({ userID: "u1" })', "'userID'", "did you mean to write 'userId'"),
  admin('orders.search({ statusIn: ["succeeded"] })', "'\"succeeded\"'", '"delivered"'),
  admin('ordersV2.list({ inUserId: ["u1"] })', "'inUserId'", "did you mean to write 'inUserIds'"),
  admin('users.list({ email: "a@b.test" })', "'email'", "does not exist"),
  admin("entities.list({ limit: 5 })", "'kind'", "missing"),
  endUser('items.search({ interestIn: ["quiet"] })', "'interestIn'", "did you mean to write 'interestsIn'"),
  visitor("items.search({ payload: { minPrise: 5 } })", "'minPrise'", "did you mean to write 'minPrice'"),
  visitor("boxes.list({ limit: true })", "'boolean'", "'number'")
]

/** A wrong use of a client itself, what its message holds, and how long it may be. */
export interface ClientMistake {
  readonly code: string
  readonly says: ReadonlyArray<string>
  readonly most: number
}

const wrong = (code: string, most: number, ...says: ReadonlyArray<string>): ClientMistake => ({
  code,
  most,
  says
})

export const clientMistakes: ReadonlyArray<ClientMistake> = [
  wrong("createAdminClient({})", 200, "AdminPasswordConfig", "AdminSessionConfig"),
  wrong("createAdmin({})", 200, "AdminPasswordConfig", "AdminSessionConfig"),
  wrong("createAdminClient(at)", 400, "missing the following properties", "from type 'Admin"),
  wrong(
    'createAdminClient({ ...at, email: "a@b.test" })',
    400,
    "'password' is missing",
    "'AdminPasswordConfig'"
  ),
  wrong(
    'createAdminClient({ ...at, sessionId: "s1" })',
    400,
    "'accessToken' is missing",
    "'AdminSessionConfig'"
  ),
  wrong(
    'createAdminClient({ ...at, email: "a@b.test", pasword: "…" })',
    300,
    "'pasword' does not exist in type 'AdminPasswordConfig'",
    "Did you mean to write 'password'?"
  ),
  wrong("createPublicClient({})", 300, "missing the following properties", "baseUrl", "apiKey"),
  wrong(
    "Effect.runPromise(Admin.orders.search())",
    700,
    "Type 'AdminClient' is not assignable to type 'never'"
  ),
  wrong(
    "call(EndUser.profile.get)",
    900,
    `Type '"@quartet/sdk/EndUser"' is not assignable to type '"@quartet/sdk/Admin"'`
  ),
  wrong(
    "call(admin.orders.search)",
    700,
    "Property 'client' is missing in type 'PromiseCall<",
    "'ImportedCall<"
  ),
  wrong(
    'pages(call, Admin.orders.get, { id: "o1" })',
    1_000,
    "missing the following properties from type 'Page<unknown>': items"
  ),
  wrong(
    'withResponse(admin, Admin.requests.list, { statusesIn: ["pending"] })',
    1_700,
    "'statusesIn' does not exist",
    "Did you mean to write 'statusIn'?"
  ),
  wrong(
    'until(admin.requests.update, { id: "r1", payload: {} }, () => true)',
    4_000,
    `Type '"write"' is not assignable to type '"read"'`
  ),
  wrong(
    'admin.orders.get({ id: "o1" }, { headers: { authorization: "Bearer …" } })',
    200,
    "Type 'string' is not assignable to type 'undefined'"
  ),
  wrong(
    'withOptions(admin, { headers: { Cookie: "a=b" } })',
    200,
    "Type 'string' is not assignable to type 'undefined'"
  ),
  wrong(
    'createPublicClient({ ...at, apiKey: "k", headers: { "X-API-Key": "k" } })',
    700,
    "'string' is not assignable to type 'undefined'"
  )
]
