// The Promise clients in the form of one function: what fits a client compiles, and nothing else does.
import * as Schema from "effect/Schema"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import { bytes, createAdmin, download, pages, run, signOut, text } from "../../clients/promise/admin.js"
import { openChat } from "../../clients/promise/chat.js"
import { createPublic } from "../../clients/promise/public.js"
import * as Public from "../../clients/public/index.js"
import type { RequestAction } from "../../core/requests/model.js"

const call = createAdmin({
  baseUrl: "https://api.example.com",
  projectId: "p",
  email: "a@b.c",
  password: "x"
})
const visitor = createPublic({ baseUrl: "https://api.example.com", apiKey: "k" })
const { signal } = new AbortController()

const action: Promise<RequestAction> = call(Admin.requests.get, { id: "r1" }, { signal })
const page: Promise<{ readonly items: ReadonlyArray<RequestAction> }> = call(Admin.requests.list)
const all: AsyncIterable<RequestAction> = pages(
  call,
  Admin.requests.list,
  { statusIn: ["pending"] },
  { limit: 5 }
)
const csv: Promise<string> = text(call, Admin.payments.csv, {}, { signal })
const pieces: AsyncIterable<Uint8Array> = download(call, Admin.payments.csv)
const mine: Promise<{ readonly _id: string }> = call(
  Admin.requests.get.as(Schema.Struct({ _id: Schema.String })),
  { id: "r1" }
)
const name: Promise<unknown> = run(call, Admin.onDemand.project.get, { signal }).then(({ name }) => name)
void [action, page, all, csv, pieces, mine, name, signOut(call), openChat(call, {}, { signal })]

// @ts-expect-error a visitor's client has no calls of admins
void visitor(Admin.requests.list)
// @ts-expect-error nor their pages
void pages(visitor, Admin.requests.list)
// @ts-expect-error nor their downloads
void bytes(visitor, Admin.payments.csv)
// @ts-expect-error nor what they read on demand
void run(visitor, Admin.onDemand.me)
// @ts-expect-error nor their chat
void openChat(visitor)
// @ts-expect-error nor their session
void signOut(visitor)
// @ts-expect-error an end user's call is not an admin's, though both have one of this name
void call(EndUser.requests.list)
// @ts-expect-error the id is required
void call(Admin.requests.get)
// @ts-expect-error the id is a text
void call(Admin.requests.get, { id: 1 })
// @ts-expect-error no such field
void call(Admin.requests.get, { id: "r1", idd: "r1" })
// @ts-expect-error no such option
void call(Admin.requests.get, { id: "r1" }, { signl: signal })
// @ts-expect-error a download is no call
void call(Admin.payments.csv)
// @ts-expect-error a call is no download
void text(call, Admin.requests.list)
// @ts-expect-error content models are answered at once
void pages(call, Admin.contentModels.list)
// @ts-expect-error one entry has no pages
void pages(call, Admin.requests.get, { id: "r1" })
// @ts-expect-error a key is for one call, and each page is a call
void pages(call, Admin.requests.list, {}, { idempotencyKey: "k" })
// @ts-expect-error the payload is required
void pages(visitor, Public.items.search)
