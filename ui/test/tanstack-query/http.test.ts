// The options over real HTTP, against the served sandbox: what a page of an app asks and does.
import { createServer } from "node:http"
import { accounts } from "@quartet/sandbox"
import * as Admin from "@quartet/sdk/admin"
import { createAdmin } from "@quartet/sdk/promise/admin"
import { createPublic } from "@quartet/sdk/promise/public"
import * as Public from "@quartet/sdk/public"
import { eventually } from "@quartet/support/eventually.js"
import { servedSandbox } from "@quartet/support/sandboxes.js"
import { listen } from "@quartet/support/servers.js"
import { afterAll, expect, test } from "vitest"
import { makeQueryOptions } from "../../tanstack-query/index.js"
import { makeClient, observe, observePages } from "./harness.js"

const sandbox = servedSandbox()

const asAdmin = () => {
  const call = createAdmin({ baseUrl: sandbox().url, projectId: accounts.projectId, ...accounts.admin })
  afterAll(() => call.close())
  return { quartet: makeQueryOptions(call), queryClient: makeClient(), call }
}

test("a list is read to its end, and holds what the client's own pages hold", async () => {
  const { call, quartet, queryClient } = asAdmin()
  const options = quartet.infiniteQueryOptions(Admin.requests.list, { statusIn: ["pending"] }, { limit: 7 })
  const data = await queryClient.fetchInfiniteQuery({ ...options, pages: 100 })
  const { paging } = await call(Admin.requests.list, { statusIn: ["pending"], limit: 1 })
  const read = data.pages.flatMap(({ items }) => items.map(({ _id }) => _id))
  expect(new Set(read).size).toBe(read.length)
  expect(read).toHaveLength(paging.total ?? -1)
  expect(data.pages.at(-1)?.next).toBe(null)
})

test("a write makes what is shown outdated, and it is read again, with its Dates", async () => {
  const { quartet, queryClient } = asAdmin()
  const first = quartet.queryOptions(Admin.requests.list, { statusIn: ["pending"], limit: 1 })
  const [request] = (await queryClient.fetchQuery(first)).items
  const id = request?._id ?? ""
  const version = request?.version ?? 0
  const { now } = await observe(queryClient, quartet.queryOptions(Admin.requests.get, { id }))
  await eventually(() => expect(now().data?.createdAt).toBeInstanceOf(Date))
  const { mutationFn } = quartet.mutationOptions(Admin.requests.markSeen)
  await mutationFn({ id, version })
  await queryClient.invalidateQueries({ queryKey: quartet.sliceKey(Admin.requests.markSeen) })
  expect(now().data?.seenByAdmin).toBe(version)
})

test("the connection of an answer that nobody waits for is released", async () => {
  const waiting: Array<boolean> = []
  const silent = await listen(
    createServer((_, response) => {
      const place = waiting.push(true) - 1
      response.on("close", () => {
        waiting[place] = false
      })
    })
  )
  afterAll(() => silent.close())
  const call = createPublic({ baseUrl: silent.url, apiKey: "k" })
  afterAll(() => call.close())
  const queryClient = makeClient()
  const quartet = makeQueryOptions(call)
  const single = await observe(queryClient, quartet.queryOptions(Public.boxes.get, { id: "b1" }))
  const list = await observePages(queryClient, quartet.infiniteQueryOptions(Public.boxes.list))
  await eventually(() => expect(waiting).toEqual([true, true]))
  single.stop()
  await eventually(() => expect(waiting.filter(Boolean)).toHaveLength(1))
  list.stop()
  await eventually(() => expect(waiting).toEqual([false, false]))
})
