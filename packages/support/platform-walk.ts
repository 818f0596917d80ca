/**
 * A walk through all calls of the platform: each step makes one with what it is for, and takes ids from the answers before it.
 * Whatever form a platform has, the walk has the same results there.
 */
import { accounts } from "@quartet/sandbox"

/** What performs the steps: one of a client's two faces. */
export interface Face {
  /** Makes the call of a row. A download is read to its end, as text. */
  readonly call: (row: string, input: unknown) => Promise<unknown>
  /** All items of the list of a row, page after page. */
  readonly pages: (row: string, input: unknown) => Promise<ReadonlyArray<unknown>>
  readonly close: () => Promise<void>
}

type Input = Readonly<Record<string, unknown>>

/** What a step needs of one before it, and does not find there. */
class Missing extends Error {}

/** The values that the steps before have answered. */
class Past {
  readonly #values = new Map<string, unknown>()

  put(step: string, value: unknown): void {
    this.#values.set(step, value)
  }

  /** What stands at a path of an answer: `items.0._id`. */
  at(step: string, path: string): unknown {
    return path.split(".").reduce<unknown>((value, name) => {
      const field: unknown = Reflect.get(Object(value), name)
      if (field === undefined || field === null) throw new Missing(`${step} has no ${path}`)
      return field
    }, this.#values.get(step))
  }

  /** The id of a thing that was answered. */
  id(step: string, path = "_id"): string {
    return String(this.at(step, path))
  }

  /** The id of the first item of a list that has these fields. */
  idIn(step: string, fields: Input): string {
    const items = this.at(step, "items")
    const item: unknown = (Array.isArray(items) ? items : []).find((candidate: unknown) =>
      Object.entries(fields).every(([name, value]) => Reflect.get(Object(candidate), name) === value)
    )
    if (item === undefined) throw new Missing(`${step} has no item with ${JSON.stringify(fields)}`)
    return String(Reflect.get(Object(item), "_id"))
  }
}

/** One step. */
export interface Step {
  /** What the trace calls it: the row, and for a further step what is asked of it. */
  readonly name: string
  /** Id of its row in spec/calls.json. */
  readonly row: string
  readonly perform: (face: Face, past: Past) => Promise<unknown>
}

type InputOf = Input | ((past: Past) => Input)

const inputFrom = (input: InputOf, past: Past): Input => (typeof input === "function" ? input(past) : input)

const call = (row: string, input: InputOf = {}, name = row): Step => ({
  name,
  row,
  perform: async (face, past) => face.call(row, inputFrom(input, past))
})

const pages = (row: string, input: InputOf = {}): Step => ({
  name: `${row}, page after page`,
  row,
  perform: async (face, past) => face.pages(row, inputFrom(input, past))
})

const { ana, beka } = accounts.endUsers

/** The id of the thing that a step has answered, as an input. */
const that =
  (step: string, path?: string) =>
  (past: Past): Input => ({ id: past.id(step, path) })

/** That id with what is written there. */
const change =
  (step: string, payload: Input) =>
  (past: Past): Input => ({ id: past.id(step), payload })

const textFile = (name: string, text: string): File => new File([text], name, { type: "text/plain" })

/** Accounts, roles and permissions, as admins keep them. */
const people: ReadonlyArray<Step> = [
  call("admin.auth.login", accounts.admin),
  call("admin.auth.legacyLogin", accounts.admin),
  call("admin.users.list", { limit: 60, query: { status: "active", sort: "email" } }),
  call("admin.users.create", {
    payload: {
      email: "nino@example.com",
      password: "a-long-password",
      fullName: "Nino Beridze",
      phone: "+995555100200",
      interests: ["garden", "parking"],
      type: "owner"
    }
  }),
  call("admin.users.get", that("admin.users.create")),
  call("admin.users.update", change("admin.users.create", { city: "Kutaisi", about: "Likes gardens." })),
  call("admin.users.delete", that("admin.users.create")),
  call("admin.permissions.list", { limit: 10 }),
  call("admin.permissions.get", that("admin.permissions.list", "items.3._id")),
  call("admin.roles.list", { query: { sort: "name" } }),
  call("admin.roles.create", (past) => ({
    payload: {
      name: "Porters",
      permissions: [
        past.id("admin.permissions.list", "items.1._id"),
        past.id("admin.permissions.list", "items.2._id")
      ]
    }
  })),
  call("admin.roles.get", that("admin.roles.create")),
  call("admin.roles.update", change("admin.roles.create", { name: "Head porters" })),
  call("admin.roles.addPermission", (past) => ({
    id: past.id("admin.roles.create"),
    permissionId: past.id("admin.permissions.get")
  })),
  call("admin.roles.removePermission", (past) => ({
    id: past.id("admin.roles.create"),
    permissionId: past.id("admin.permissions.list", "items.1._id")
  })),
  call("admin.admins.list", { limit: 3, query: { search: "quartet.test" } }),
  call("admin.admins.create", (past) => ({
    payload: {
      email: "levan@example.com",
      password: "a-long-password",
      fullName: "Levan Kapanadze",
      roles: [past.id("admin.roles.create")]
    }
  })),
  call("admin.admins.get", that("admin.admins.create")),
  call("admin.admins.update", change("admin.admins.create", { fullName: "Levan", roles: [] })),
  call("admin.admins.delete", that("admin.admins.create")),
  call("admin.roles.delete", that("admin.roles.create")),
  call("admin.preferences.set", { key: "theme", payload: { value: "dark", columns: ["title", "status"] } }),
  call("admin.preferences.list"),
  call("admin.preferences.get", { key: "theme" })
]

/** The project, its providers and the entities of its own kinds. */
const project: ReadonlyArray<Step> = [
  call("admin.projects.list", { limit: 5 }),
  call("admin.projects.get", that("admin.projects.list", "items.0._id")),
  call("admin.projects.update", (past) => ({
    id: past.id("admin.projects.list", "items.0._id"),
    payload: { name: "Rustaveli House", languages: ["en", "ka"] }
  })),
  call("admin.providers.list"),
  call("admin.providers.activate", (past) => ({
    providerId: past.id("admin.providers.list", "items.1._id"),
    payload: { senderId: "quartet", isTest: true }
  })),
  call("admin.providers.deactivate", (past) => ({
    providerId: past.id("admin.providers.list", "items.1._id")
  })),
  call("admin.providers.authenticationCustomers", { limit: 4, query: { status: "active" } }),
  call("admin.providers.zohoDeals", { limit: 4, query: { sort: "-amount" } }),
  call("admin.entities.list", { kind: "apartment", limit: 4, query: { sort: "createdAt" } }),
  call("admin.entities.create", {
    kind: "apartment",
    payload: { name: "Flat 12", floor: 3, rooms: ["hall", "kitchen"] }
  }),
  call("admin.entities.get", (past) => ({ kind: "apartment", id: past.id("admin.entities.create") })),
  call("admin.entities.update", (past) => ({
    kind: "apartment",
    id: past.id("admin.entities.create"),
    payload: { floor: 4, soldAt: "2025-06-01T10:00:00.000Z" }
  })),
  call("admin.entities.delete", (past) => ({ kind: "apartment", id: past.id("admin.entities.create") })),
  call("admin.intranet.holidayReport", { type: "holiday", limit: 6, query: { status: "approved" } })
]

/** The shop and the profiles of its users, as admins see them. */
const shop: ReadonlyArray<Step> = [
  call("admin.profiles.search", {
    typeIn: ["resident", "owner"],
    statusIn: ["active"],
    interestsIn: ["garden", "centre"],
    limit: 60
  }),
  call("admin.profiles.get", (past) => ({ id: past.idIn("admin.profiles.search", { email: ana.email }) })),
  call("admin.profiles.getBasic", (past) => ({ id: past.id("admin.profiles.get") })),
  call("admin.profiles.update", (past) => ({
    payload: { _id: past.id("admin.profiles.get"), city: "Gori", interests: ["quiet", "view"] }
  })),
  call("admin.items.search", (past) => ({
    inUserIds: [past.id("admin.profiles.get"), past.id("admin.users.list", "items.7._id")],
    notInUserIds: [past.id("admin.users.list", "items.8._id"), past.id("admin.users.list", "items.9._id")],
    statusIn: ["available", "reserved"],
    query: { sort: "-price" },
    limit: 10
  })),
  call("admin.items.get", that("admin.items.search", "items.0._id")),
  call("admin.items.list", { page: 1, limit: 7, query: { sort: "name" } }),
  call("admin.orders.search", (past) => ({
    inUserIds: [past.id("admin.profiles.get"), past.id("admin.users.list", "items.7._id")],
    typeIn: ["sale", "rent", "service"],
    statusIn: ["new", "confirmed", "paid"],
    limit: 10
  })),
  call("admin.orders.get", that("admin.orders.search", "items.0._id")),
  call("admin.orders.update", (past) => ({
    payload: { _id: past.idIn("admin.orders.search", { status: "paid" }), status: "delivered" }
  })),
  call("admin.orderGroups.search", (past) => ({
    payload: { userId: past.id("admin.profiles.get"), status: "open", limit: 5, sort: "-total" }
  })),
  call("admin.orderGroups.get", that("admin.orderGroups.search", "items.0._id")),
  call("admin.ordersV2.list", { limit: 5, query: { from: "2025-03-01", to: "2025-06-01", type: "rent" } }),
  call("admin.ordersV2.get", that("admin.ordersV2.list", "items.0._id")),
  call("admin.ordersV2.csv", { query: { status: "paid" } }),
  call("admin.payments.list", { limit: 20, query: { status: "succeeded" } }),
  call("admin.payments.get", that("admin.payments.list", "items.0._id")),
  call("admin.payments.refund", (past) => ({
    id: past.id("admin.payments.get"),
    payload: { amount: 1.5, reason: "A broken lift" }
  })),
  call("admin.payments.events", (past) => ({ id: past.id("admin.payments.get"), limit: 10 })),
  call("admin.payments.csv", { query: { status: "refunded", sort: "-amount" } })
]

/** Content with its models, and files. */
const content: ReadonlyArray<Step> = [
  call("admin.models.list", { limit: 10, query: { sort: "apiId" } }),
  call("admin.models.create", {
    payload: {
      apiId: "meetings",
      name: "Meetings",
      fields: [
        { apiId: "title", name: "Title", type: "TEXT" },
        { apiId: "seats", type: "NUMERIC" },
        { apiId: "startsOn", type: "DATE" }
      ]
    }
  }),
  call("admin.models.get", that("admin.models.create")),
  call("admin.models.update", change("admin.models.create", { name: "Meetings of owners" })),
  call(
    "admin.models.addField",
    change("admin.models.create", { apiId: "open", name: "Open", type: "BOOLEAN" })
  ),
  call("admin.models.updateField", (past) => ({
    id: past.id("admin.models.create"),
    fieldId: past.id("admin.models.addField", "fields.3._id"),
    payload: { name: "Open to guests" }
  })),
  call("admin.models.deleteField", (past) => ({
    id: past.id("admin.models.create"),
    fieldId: past.id("admin.models.addField", "fields.3._id")
  })),
  call("admin.content.create", (past) => ({
    id: past.id("admin.models.create"),
    payload: {
      title: "Spring meeting",
      seats: 40,
      startsOn: "2025-04-12T16:00:00.000Z",
      translations: { ka: { title: "გაზაფხულის კრება" } }
    }
  })),
  call("admin.content.get", that("admin.content.create")),
  call("admin.content.update", change("admin.content.create", { seats: 45 })),
  call("admin.content.paginated", { limit: 8, query: { apiId: "news", sort: "-createdAt" } }),
  call("admin.content.reorder", (past) => ({
    payload: {
      ids: [
        past.id("admin.content.paginated", "items.1._id"),
        past.id("admin.content.paginated", "items.0._id")
      ]
    }
  })),
  call("admin.content.translate", { key: "greeting", text: "Hello" }),
  call("admin.content.delete", that("admin.content.create")),
  call("admin.models.delete", that("admin.models.create")),
  call("admin.contentModels.list"),
  call("admin.contentModels.create", { payload: { apiId: "offers", name: "Offers" } }),
  call("admin.contentModels.get", that("admin.contentModels.create")),
  call("admin.contentModels.update", change("admin.contentModels.create", { name: "Offers of the week" })),
  call("admin.contentModels.delete", that("admin.contentModels.create")),
  call("admin.files.list", { limit: 12, query: { sort: "name" } }),
  call("admin.files.get", (past) => ({ id: past.idIn("admin.files.list", { type: "text/csv" }) })),
  call("admin.files.download", that("admin.files.get")),
  call("admin.files.delete", that("admin.files.get"))
]

/** What visitors read and send. */
const visitors: ReadonlyArray<Step> = [
  call("public.project.self"),
  call("public.auth.signup", {
    payload: { email: "lika@example.com", password: "a-long-password", fullName: "Lika", city: "Batumi" }
  }),
  call("public.auth.login", beka),
  call("public.cms.list", { apiId: "faq", limit: 4, query: { section: "payments" } }),
  call("public.cms.get", (past) => ({
    apiId: "news",
    id: past.id("admin.content.paginated", "items.2._id")
  })),
  call("public.content.listV2", {
    apiId: "news",
    filter: [{ k: "views", condition: "gt", v: 500 }],
    search: [
      { k: "title", v: "vake" },
      { k: "title", v: "report" }
    ],
    limit: 5
  }),
  call("public.content.list", {
    apiId: "news",
    lang: "ka",
    filter: [
      { k: "views", op: ">=", t: "NUMERIC", v: 100 },
      { k: "featured", op: "=", v: false }
    ],
    sort: [
      { k: "category", v: "asc" },
      { k: "views", v: "desc", t: "NUMERIC" }
    ],
    limit: 6
  }),
  call("public.content.get", (past) => ({
    id: past.id("admin.content.paginated", "items.3._id"),
    lang: "ka"
  })),
  call("public.cms.structure"),
  call("public.files.upload", {
    form: "applications",
    file: { name: "application.txt", content: new Blob(["I apply."], { type: "text/plain" }) }
  }),
  call("public.images.upload", { file: new File(["pixels"], "dot.png", { type: "image/png" }) }),
  call("public.items.search", {
    payload: {
      text: "vera",
      statusIn: ["available", "reserved"],
      minPrice: 1000,
      maxPrice: 900_000,
      sort: "-price",
      limit: 5
    }
  }),
  call("public.items.get", that("public.items.search", "items.0._id")),
  call("public.boxes.list", { limit: 5 }),
  call("public.boxes.create", {
    payload: { type: "QUIZ_RESULT", data: { score: 7, choices: ["centre", "view"] } }
  }),
  call("public.boxes.get", that("public.boxes.create")),
  call("public.boxes.update", change("public.boxes.create", { data: { score: 9 } })),
  call("public.boxes.delete", that("public.boxes.create")),
  call("public.exchangeRates.get", { currency: "EUR" })
]

/** What servers send. */
const servers: ReadonlyArray<Step> = [
  call("private.project.self"),
  call("private.notifications.sendInApp", (past) => ({
    payload: { userId: past.id("admin.profiles.get"), title: "Your keys", body: "They are at the desk." }
  })),
  call("private.notifications.sendSms", { to: "+995555123456", body: "Your flat is ready." }),
  call("private.notifications.pushToUsers", (past) => ({
    payload: {
      userIds: [past.id("admin.profiles.get"), past.id("admin.users.list", "items.7._id")],
      title: "Your flat is ready"
    }
  })),
  call("private.payments.payWithLink", (past) => ({
    payload: {
      amount: 120.5,
      currency: "GEL",
      description: "A deposit",
      userId: past.id("admin.orders.get", "userId"),
      orderId: past.id("admin.orders.get")
    }
  })),
  call("private.payments.get", that("private.payments.payWithLink")),
  call("private.files.upload", (past) => ({
    file: textFile("contract.txt", "A contract."),
    isPrivate: true,
    userId: past.id("admin.profiles.get")
  })),
  call("private.items.list", { limit: 5, query: { type: "apartment", sort: "-area" } })
]

/** The own account of an end user, and other profiles. */
const account: ReadonlyArray<Step> = [
  call("endUser.auth.self"),
  call("endUser.auth.update", { payload: { phone: "+995555300400", fullName: "Ana B." } }),
  call("endUser.auth.updatePassword", { oldPassword: ana.password, newPassword: "another-password" }),
  call("endUser.profile.get"),
  call("endUser.profile.update", { payload: { about: "Lives by the river.", interests: ["garden"] } }),
  call("endUser.profile.getFull"),
  call("endUser.profile.search", {
    payload: { typeIn: ["resident", "owner"], interestsIn: ["garden", "view"], sort: "fullName", limit: 8 }
  }),
  call("endUser.profile.follow", (past) => ({ id: past.idIn("admin.users.list", { email: beka.email }) })),
  call("endUser.profile.followers", that("endUser.profile.follow", "to")),
  call("endUser.profile.followings", (past) => ({ id: past.id("endUser.auth.self"), limit: 3, page: 1 })),
  call("endUser.profile.unfollow", that("endUser.profile.follow", "to")),
  call("endUser.profile.block", that("endUser.profile.follow", "to")),
  call("endUser.profile.isBlocked", that("endUser.profile.follow", "to")),
  call("endUser.profile.unblock", that("endUser.profile.follow", "to"))
]

/** Requests from both sides. */
const requests: ReadonlyArray<Step> = [
  call("endUser.requests.create", {
    payload: {
      type: "BUY",
      title: "Two rooms",
      description: "With a balcony",
      data: { district: "Vera", floors: [2, 3] }
    }
  }),
  call("endUser.requests.list", { limit: 5, query: { status: "pending" } }),
  call("endUser.requests.get", that("endUser.requests.create")),
  call("endUser.requests.update", change("endUser.requests.create", { title: "Three rooms" })),
  call("endUser.requests.addComment", change("endUser.requests.create", { text: "By the park, if you can" })),
  call("admin.requests.create", (past) => ({
    payload: { type: "RENT", title: "A garage", userId: past.id("admin.profiles.get") }
  })),
  call("admin.requests.list", (past) => ({
    inUserIds: [past.id("admin.profiles.get"), past.id("admin.users.list", "items.7._id")],
    typeIn: ["BUY", "RENT"],
    statusIn: ["pending", "reviewed"],
    limit: 10
  })),
  call("admin.requests.get", that("endUser.requests.create")),
  call("admin.requests.markSeen", (past) => ({
    id: past.id("admin.requests.get"),
    version: past.at("admin.requests.get", "version")
  })),
  call("admin.requests.update", change("admin.requests.get", { status: "rejected" })),
  call("admin.requests.addComment", change("admin.requests.get", { text: "There is none left" })),
  call("endUser.requests.markSeen", (past) => ({
    id: past.id("admin.requests.addComment"),
    version: past.at("admin.requests.addComment", "version")
  })),
  call("endUser.requests.confirm", (past) => ({
    payload: { id: past.id("admin.requests.create"), accepted: false }
  })),
  call("endUser.requests.review", change("admin.requests.get", { rating: 5, text: "Quick" })),
  call("endUser.requests.delete", that("endUser.requests.create"))
]

/** Conversations, notifications, events and what else an end user has. */
const desk: ReadonlyArray<Step> = [
  call("admin.conversations.list", { limit: 5, query: { status: "open" } }),
  call("admin.conversations.update", (past) => ({
    id: past.id("admin.conversations.list", "items.0._id"),
    payload: { topic: "A flat by the park", status: "closed" }
  })),
  call("admin.conversations.messages", (past) => ({ id: past.id("admin.conversations.update"), limit: 4 })),
  call("admin.conversations.markSeen", (past) => ({
    id: past.id("admin.conversations.update"),
    messageId: past.id("admin.conversations.messages", "items.1._id")
  })),
  call("admin.notifications.send", (past) => ({
    payload: {
      userIds: [past.id("admin.profiles.get"), past.id("admin.users.list", "items.7._id")],
      channel: "EMAIL",
      title: "The water is off",
      body: "On Monday from nine to ten."
    }
  })),
  call("endUser.notifications.list", { limit: 5, query: { channel: "EMAIL" } }),
  call("endUser.notifications.markSeen", that("endUser.notifications.list", "items.0._id")),
  call("endUser.events.list", { limit: 5 }),
  call("endUser.events.update", (past) => ({
    id: past.id("endUser.events.list", "items.0._id"),
    payload: { title: "Visit of the roof", startsAt: new Date("2025-07-01T09:30:00.000Z") }
  })),
  call("endUser.events.delete", that("endUser.events.list", "items.1._id")),
  call("endUser.boxes.list", { limit: 3, query: { sort: "type" } }),
  call("endUser.boxes.create", { payload: { type: "SURVEY_RESULT", data: { choices: ["quiet"] } } }),
  call("endUser.boxes.get", that("endUser.boxes.create")),
  call("endUser.boxes.update", change("endUser.boxes.create", { data: { choices: ["quiet", "view"] } })),
  call("endUser.boxes.delete", that("endUser.boxes.create")),
  call("endUser.files.upload", { file: textFile("plan.txt", "A plan, გეგმა") }),
  call("endUser.files.download", that("endUser.files.upload")),
  call("endUser.intranet.orgChart"),
  call("endUser.intranet.managementChart"),
  call("endUser.intranet.holidayBalance"),
  call("endUser.intranet.holidayCheck", {
    startDate: "2025-11-03",
    endDate: new Date("2025-11-07T00:00:00Z")
  })
]

/** The shop, as an end user sees it. */
const purchases: ReadonlyArray<Step> = [
  call("endUser.items.search", {
    typeIn: ["apartment", "house"],
    statusIn: ["available"],
    interestsIn: ["garden", "view"],
    query: { sort: "price" },
    limit: 6
  }),
  call("endUser.items.get", that("endUser.items.search", "items.0._id")),
  call("endUser.items.searchFeatured", { limit: 4, query: { city: "Tbilisi" } }),
  call("endUser.items.featured"),
  call("endUser.orders.search", {
    payload: { statusIn: ["new", "confirmed"], typeIn: ["sale", "rent", "service"], sort: "-total", limit: 5 }
  }),
  call("endUser.orders.get", that("endUser.orders.search", "items.0._id")),
  call("endUser.orders.update", (past) => ({
    payload: { _id: past.id("endUser.orders.get"), status: "cancelled" }
  })),
  call("endUser.orderGroups.search", { payload: { status: "open", limit: 2 } }),
  call("endUser.orderGroups.get", that("endUser.orderGroups.search", "items.0._id"))
]

/** One step for each row of the platform's list, in an order in which each finds what it needs. */
export const steps: ReadonlyArray<Step> = [
  ...people,
  ...project,
  ...shop,
  ...content,
  ...visitors,
  ...servers,
  ...account,
  ...requests,
  ...desk,
  ...purchases
]

/** Lists of each kind to their end: of a GET, of a search, of content, and of what belongs to one thing. */
const whole: ReadonlyArray<Step> = [
  pages("admin.payments.list", { limit: 150 }),
  pages("public.items.search", { payload: { statusIn: ["available", "sold"], sort: "price", limit: 60 } }),
  pages("public.content.list", {
    apiId: "news",
    filter: [{ k: "views", op: ">", t: "NUMERIC", v: 10 }],
    sort: [{ k: "views", v: "asc", t: "NUMERIC" }],
    limit: 9
  }),
  pages("admin.conversations.messages", (past) => ({ id: past.id("admin.conversations.update"), limit: 2 }))
]

/** What the platform refuses, and of which it may name the field. */
const refusals: ReadonlyArray<Step> = [
  call("admin.orders.get", that("admin.users.list", "items.0._id"), "an order that nobody has"),
  call(
    "admin.users.create",
    { payload: { email: ana.email, fullName: "Ana" } },
    "an account with an e-mail that is in use"
  ),
  call(
    "endUser.requests.markSeen",
    (past) => ({ id: past.id("admin.requests.create"), version: 0 }),
    "a version that has passed"
  ),
  call(
    "private.payments.payWithLink",
    (past) => ({ payload: { amount: 1, userId: past.id("admin.orders.get") } }),
    "a payment of nobody"
  ),
  call("admin.users.list", { query: { shoes: 43 } }, "a filter that is not known"),
  call("public.auth.login", { email: ana.email, password: "wrong-password" }, "a wrong password")
]

/** The steps after those of the rows. */
export const furtherSteps: ReadonlyArray<Step> = [...whole, ...refusals]

/** What became of a step. */
export type Result =
  | { readonly _tag: "Done"; readonly value: unknown }
  | { readonly _tag: "Failed"; readonly error: Failure }
  /** It needs what an earlier step has not answered. */
  | { readonly _tag: "Unmade"; readonly missing: string }

/** An error without its words, which are each platform's own. */
export interface Failure {
  readonly _tag: unknown
  readonly status: unknown
  readonly field: unknown
}

/** The results by the names of the steps, in their order. */
export type Trace = Readonly<Record<string, Result>>

const failureOf = (error: unknown): Failure => {
  const part = (name: string): unknown => Reflect.get(Object(error), name)
  return { _tag: part("_tag") ?? String(error), status: part("status"), field: part("field") }
}

/** Makes all steps, one after the other. */
export const trace = async (face: Face): Promise<Trace> => {
  const past = new Past()
  const results: Record<string, Result> = {}
  for (const { name, perform } of [...steps, ...furtherSteps]) {
    results[name] = await perform(face, past).then(
      (value): Result => {
        past.put(name, value)
        return { _tag: "Done", value }
      },
      (error: unknown): Result =>
        error instanceof Missing
          ? { _tag: "Unmade", missing: error.message }
          : { _tag: "Failed", error: failureOf(error) }
    )
  }
  return results
}

/** Calls that open a session: beside who has signed in, what they answer is each platform's own. */
const signIns = new Set([
  "admin.auth.login",
  "admin.auth.legacyLogin",
  "public.auth.login",
  "public.auth.signup"
])

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** Lists that the sandbox answers bare, without their total. */
const bare = new Set([
  "admin.preferences.list",
  "admin.providers.list",
  "admin.contentModels.list",
  "endUser.items.featured"
])

/** What the forms that are compared tell; a form that lacks one of these is compared without it. */
export interface Told {
  /** The totals of lists. True by default. */
  readonly totals?: boolean
  /** The fields that refusals mind. True by default. */
  readonly fields?: boolean
}

const isPage = (value: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(value.items) && isPlain(value.paging)

/**
 * A trace without what each platform has of its own: what sign-ins open, how lists are paged, and the ids, which are named by
 * the place where the walk meets them first. `idOf` gives the sandbox's own id behind one that the client has.
 */
export const normalised = (
  results: Trace,
  idOf: (sent: string) => string = (sent) => sent,
  { fields: hasFields = true, totals: hasTotals = true }: Told = {}
): Readonly<Record<string, unknown>> => {
  const names = new Map<string, string>()

  const textOf = (text: string, place: string): string =>
    idOf(text)
      .replaceAll(/(?<=\/)\d+(?=\/)/g, idOf)
      .replaceAll(/[0-9a-f]{24}/g, (id) => {
        const name = names.get(id) ?? `<${place}>`
        names.set(id, name)
        return name
      })

  const compared = (value: unknown, place: string, isTotalled = false): unknown => {
    if (typeof value === "string") return textOf(value, place)
    if (Array.isArray(value)) return value.map((item: unknown, index) => compared(item, `${place}.${index}`))
    if (!isPlain(value)) return value
    const { paging, ...fields } = value
    const total = isTotalled ? { total: Reflect.get(Object(paging), "total") } : {}
    const kept = isPage(value) ? { ...fields, ...total } : value
    return Object.fromEntries(
      Object.entries(kept)
        // The order of fields is the platform's own, and ids are named in that of the walk.
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, field]) => [name, compared(field, `${place}.${name}`)])
    )
  }

  return Object.fromEntries(
    Object.entries(results).map(([name, result]) => {
      if (result._tag === "Failed" && !hasFields) {
        const { field, ...error } = result.error
        return [name, { _tag: "Failed", error }]
      }
      if (result._tag !== "Done") return [name, result]
      const value = signIns.has(name) ? { user: Reflect.get(Object(result.value), "user") } : result.value
      return [name, compared(value, name, hasTotals && !bare.has(name))]
    })
  )
}
