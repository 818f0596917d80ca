// The Promise clients: the slices' names, arguments and answers follow from the operations.

import { createAdminClient, createPublicClient } from "../../clients/promise/index.js"
import type { RequestAction } from "../../core/requests/model.js"

const admin = createAdminClient({
  baseUrl: "https://api.example.com",
  projectId: "p",
  email: "a@b.c",
  password: "x"
})
const visitor = createPublicClient({ baseUrl: "https://api.example.com", apiKey: "k" })

const one: Promise<RequestAction> = admin.requests.get({ id: "r1" }, { signal: new AbortController().signal })
const page: Promise<{ readonly items: ReadonlyArray<RequestAction> }> = admin.requests.list()
const all: AsyncIterable<RequestAction> = admin.requests.list.pages({ statusIn: ["pending"] }, { limit: 50 })
const csv: Promise<string> = admin.payments.csv.text({})
const pieces: AsyncIterable<Uint8Array> = admin.payments.csv({})
void [one, page, all, csv, pieces, visitor.items.search({ payload: {} })]

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
