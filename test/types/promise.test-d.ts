// The Promise clients: the slices' names, arguments and answers follow from the operations.

import * as Schema from "effect/Schema"
import {
  conditions,
  createAdminClient,
  createPublicClient,
  Filter,
  filterTypes,
  operators,
  type Sort
} from "../../clients/promise/index.js"
import type { RequestAction } from "../../core/requests/model.js"

const admin = createAdminClient({
  baseUrl: "https://api.example.com",
  projectId: "p",
  email: "a@b.c",
  password: "x"
})
const visitor = createPublicClient({ baseUrl: "https://api.example.com", apiKey: "k" })

const action: Promise<RequestAction> = admin.requests.get(
  { id: "r1" },
  { signal: new AbortController().signal }
)
const page: Promise<{ readonly items: ReadonlyArray<RequestAction> }> = admin.requests.list()
const all: AsyncIterable<RequestAction> = admin.requests.list.pages({ statusIn: ["pending"] }, { limit: 50 })
const csv: Promise<string> = admin.payments.csv.text({})
const pieces: AsyncIterable<Uint8Array> = admin.payments.csv({})
void [action, page, all, csv, pieces, visitor.items.search({ payload: {} })]

// What a question to the content is made of has names.
const filter: Filter = { k: "title", v: "ü", op: operators[0], condition: conditions[0], t: filterTypes[0] }
const sort: Sort = { k: "title", v: "asc" }
void [visitor.content.list({ apiId: "news", filter: [filter], sort: [sort] }), Filter]

// What needs no input is called without; what needs one, and its pages and downloads, are not.
void [admin.requests.list(), admin.payments.csv.text(), admin.requests.list.pages(), visitor.project.self()]
void [admin.requests.markSeen({ id: "r1", version: 4 }), admin.auth.login({ email: "a", password: "b" })]
void visitor.files.upload({ form: {}, file: { content: new Blob(), name: "a" } })
// A file is the web's own, or content with a name.
void visitor.images.upload({ file: new File([], "a") })
void visitor.images.upload({ file: { content: new Uint8Array(), name: "a", type: "image/png" } })
void visitor.images.upload({ file: { content: Buffer.from(""), name: "a" } })
void visitor.images.upload({ file: { content: new Blob().stream(), name: "a" } })
// @ts-expect-error bytes alone have no name
void visitor.images.upload({ file: Buffer.from("") })
// @ts-expect-error text is no content
void visitor.images.upload({ file: { content: "", name: "a" } })
// @ts-expect-error the id is required
void admin.requests.get()
// @ts-expect-error the id and the version are required
void admin.requests.markSeen()
// @ts-expect-error e-mail and password are required
void admin.auth.login()
// @ts-expect-error e-mail and password are required
void visitor.auth.login()
// @ts-expect-error the form and the file are required
void visitor.files.upload()
// @ts-expect-error the payload is required
void visitor.items.search()
// @ts-expect-error the payload is required
void visitor.items.search.pages()
// @ts-expect-error: a key is for one call, and each page is a call.
void admin.requests.list.pages({}, { idempotencyKey: "k" })
// @ts-expect-error the id is required
void admin.files.download()
// @ts-expect-error the id is required
void admin.files.download.bytes()
// @ts-expect-error an input that is required stays so where the answer is narrowed
void admin.requests.get.as(Schema.Unknown)()

// Pages are where an input takes the number of one, and nowhere else.
void [admin.permissions.list.pages(), visitor.items.search.pages({ payload: { page: 2 } })]
// @ts-expect-error content models are answered at once
void admin.contentModels.list.pages
// @ts-expect-error so are providers
void admin.providers.list.pages
// @ts-expect-error and preferences
void admin.preferences.list.pages
// @ts-expect-error nor does a schema of the caller's change that
void admin.preferences.list.as(Schema.Unknown).pages

// @ts-expect-error the id is required
void admin.requests.get({})
// @ts-expect-error a single answer has no pages
void admin.requests.get.pages
// @ts-expect-error visitors have no requests
void visitor.requests
// @ts-expect-error an answer of bytes is no JSON call
void admin.payments.csv.as
// @ts-expect-error an admin client needs credentials
void createAdminClient({ baseUrl: "https://api.example.com", projectId: "p" })
