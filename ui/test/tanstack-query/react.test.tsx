// @vitest-environment happy-dom
// TanStack's own hooks in components, in Strict Mode, with the options as they are made.

import * as Admin from "@quartet/sdk/admin"
import type { CallError } from "@quartet/sdk/extend"
import { eventually } from "@quartet/support/eventually.js"
import * as Fake from "@quartet/support/fake-transport.js"
import {
  Button,
  complaints,
  during,
  flush,
  ok,
  press,
  render,
  request,
  text,
  withRoot
} from "@quartet/support/react.js"
import {
  dehydrate,
  HydrationBoundary,
  type QueryClient,
  QueryClientProvider,
  QueryErrorResetBoundary,
  queryOptions,
  skipToken,
  useInfiniteQuery,
  useMutation,
  usePrefetchQuery,
  useQueries,
  useQuery,
  useSuspenseQuery
} from "@tanstack/react-query"
import { Schema } from "effect"
import { act, Component, type ReactNode, StrictMode, Suspense, useState } from "react"
import { renderToString } from "react-dom/server"
import { afterEach, describe, expect, test } from "vitest"
import { hydration } from "../../tanstack-query/index.js"
import { makeClient, setup } from "./harness.js"

const { requests } = Admin

withRoot()
afterEach(() => expect(complaints).toEqual([]))

const show = (queryClient: QueryClient, children: ReactNode) =>
  render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </StrictMode>
  )

test("useQuery shows the answer and its typed error, and nothing while its input is missing", async () => {
  const { fake, quartet, queryClient } = setup(({ path }) =>
    path.includes("r1") ? ok() : Fake.json(404, {})
  )
  const Request = () => {
    const [id, setId] = useState<string>()
    const { data, error, fetchStatus } = useQuery(
      quartet.queryOptions(requests.get, id === undefined ? skipToken : { id })
    )
    return (
      <p>
        {fetchStatus} {data?._id} {error?._tag}
        <Button label="one" onClick={() => setId("r1")} />
        <Button label="none" onClick={() => setId("r2")} />
      </p>
    )
  }
  await show(queryClient, <Request />)
  expect([text(), fake.exchanges.length]).toEqual(["idle  ", 0])
  await press("one")
  expect(text()).toBe("idle r1 ")
  await press("none")
  expect(text()).toBe("idle  NotFound")
  // Strict Mode mounts twice before there is anything to ask.
  expect(fake.exchanges).toHaveLength(2)
})

test("useQueries takes several, each with a select of its own", async () => {
  const { quartet, queryClient } = setup(({ path }) =>
    path.includes("/r1") ? ok() : Fake.json(200, [request("r1"), request("r2")])
  )
  const Both = () => {
    const [single, list] = useQueries({
      queries: [
        quartet.queryOptions(requests.get, { id: "r1" }),
        queryOptions({ ...quartet.queryOptions(requests.list), select: ({ items }) => items.length })
      ]
    })
    return `${single.data?.type} ${list.data}`
  }
  await show(queryClient, <Both />)
  expect(text()).toBe("VISIT 2")
})

class Boundary extends Component<
  { readonly onReset: () => void; readonly children: ReactNode },
  { readonly error?: CallError | undefined }
> {
  override state: { readonly error?: CallError | undefined } = {}
  static getDerivedStateFromError = (error: CallError) => ({ error })
  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const reset = () => {
      this.props.onReset()
      this.setState({ error: undefined })
    }
    return (
      <p>
        {error._tag}
        <Button label="again" onClick={reset} />
      </p>
    )
  }
}

test("useSuspenseQuery suspends, throws the typed error to the nearest boundary, and asks again when that is reset", async () => {
  const { fake, quartet, queryClient } = setup(["waits", Fake.json(200, { ...request("r1"), version: 7 })])
  const requestOptions = quartet.queryOptions(requests.get, { id: "r1" })
  const Request = () => <p>version {useSuspenseQuery(requestOptions).data.version}</p>
  const Page = () => {
    usePrefetchQuery(requestOptions)
    return (
      <QueryErrorResetBoundary>
        {({ reset }) => (
          <Boundary onReset={reset}>
            <Suspense fallback="Loading…">
              <Request />
            </Suspense>
          </Boundary>
        )}
      </QueryErrorResetBoundary>
    )
  }
  await show(queryClient, <Page />)
  expect([text(), fake.exchanges.length]).toEqual(["Loading…", 1])
  await during(() => fake.at(0).settle(Fake.json(403, {})))
  expect(text()).toBe("PermissionDenied")
  // React reports what a boundary has caught.
  complaints.length = 0
  await press("again")
  expect([text(), fake.exchanges.length]).toEqual(["version 7", 2])
})

test("useInfiniteQuery grows, and says when there is no more", async () => {
  const { quartet, queryClient } = setup((_, place) =>
    Fake.json(200, { items: [request(`r${place + 1}`)], paging: { total: 2 } })
  )
  const options = quartet.infiniteQueryOptions(requests.list, {}, { limit: 1 })
  await queryClient.prefetchInfiniteQuery(options)
  const List = () => {
    const { data, fetchNextPage, hasNextPage } = useInfiniteQuery({
      ...options,
      staleTime: 60_000,
      select: ({ pages }) => pages.flatMap(({ items }) => items)
    })
    return (
      <p>
        {data?.map(({ _id }) => _id).join(" ")} {String(hasNextPage)}
        <Button label="more" onClick={fetchNextPage} />
      </p>
    )
  }
  await show(queryClient, <List />)
  expect(text()).toBe("r1 true")
  await press("more")
  expect(text()).toBe("r1 r2 false")
})

test("a mutation is shown at once, undone where the platform refuses it, and makes its slice outdated", async () => {
  let seen = 0
  let refuses = true
  const { fake, quartet, queryClient } = setup(({ method }) => {
    if (method === "GET") return ok({ seenByAdmin: seen })
    return refuses ? "waits" : Fake.json(200, request("r1", { seenByAdmin: ++seen }))
  })
  const requestOptions = quartet.queryOptions(requests.get, { id: "r1" })
  const Request = () => {
    const { data } = useQuery(requestOptions)
    const { error, mutate } = useMutation({
      ...quartet.mutationOptions(requests.markSeen),
      onMutate: async ({ version }) => {
        await queryClient.cancelQueries(requestOptions)
        const before = queryClient.getQueryData(requestOptions.queryKey)
        queryClient.setQueryData(
          requestOptions.queryKey,
          (shown) => shown && { ...shown, seenByAdmin: version }
        )
        return { before }
      },
      onError: (_error, _input, shown) => queryClient.setQueryData(requestOptions.queryKey, shown?.before),
      onSettled: () => queryClient.invalidateQueries({ queryKey: quartet.sliceKey(requests.markSeen) })
    })
    return (
      <p>
        {String(data?.seenByAdmin)} {error?._tag}
        <Button label="see" onClick={() => mutate({ id: "r1", version: 1 })} />
      </p>
    )
  }
  await show(queryClient, <Request />)
  expect(text()).toBe("0 ")
  await press("see")
  expect(text()).toBe("1 ")
  await during(() => fake.exchanges.at(-1)?.settle(Fake.json(409, {})))
  expect(text()).toBe("0 Conflict")
  refuses = false
  const reads = () => fake.requests().filter(({ method }) => method === "GET").length
  const before = reads()
  await press("see")
  expect([text(), reads() - before]).toEqual(["1 ", 1])
})

test("a page that a server rendered is taken over with its Dates, and nothing is asked again", async () => {
  const server = setup([ok({ createdAt: "2024-05-01T10:00:00.000Z" })])
  const onServer = makeClient({ defaultOptions: hydration })
  const page = (queryClient: QueryClient, quartet: typeof server.quartet, state: unknown) => {
    const Request = () => {
      const { data } = useSuspenseQuery(quartet.queryOptions(requests.get, { id: "r1" }))
      return <p>{data.createdAt instanceof Date ? data.createdAt.getUTCFullYear() : "no date"}</p>
    }
    return (
      <QueryClientProvider client={queryClient}>
        <HydrationBoundary state={state as ReturnType<typeof dehydrate>}>
          <Request />
        </HydrationBoundary>
      </QueryClientProvider>
    )
  }
  await onServer.prefetchQuery(server.quartet.queryOptions(requests.get, { id: "r1" }))
  expect(renderToString(page(onServer, server.quartet, undefined))).toBe("<p>2024</p>")
  const state: unknown = JSON.parse(JSON.stringify(dehydrate(onServer)))

  const browser = setup([ok()])
  const inBrowser = makeClient({ defaultOptions: { ...hydration, queries: { staleTime: 60_000 } } })
  await render(page(inBrowser, browser.quartet, state))
  expect([text(), browser.fake.exchanges.length]).toEqual(["2024", 0])
})

describe("a page that a server sends before its answers", () => {
  const time = "2024-05-01T10:00:00.000Z"
  class Mine extends Schema.Class<Mine>("Mine")({ _id: Schema.String }) {}

  /** The state as a framework streams it: what a promise answers travels as JSON. */
  const streamed = (queryClient: QueryClient) => {
    const { mutations, queries } = dehydrate(queryClient)
    return {
      mutations,
      queries: queries.map(({ promise, ...query }) => ({
        ...JSON.parse(JSON.stringify(query)),
        ...(promise && { promise: promise.then((data) => JSON.parse(JSON.stringify(data))) })
      }))
    }
  }

  const open = async (
    shows: (quartet: ReturnType<typeof setup>["quartet"]) => ReactNode,
    { isLetThrough = true, isNarrowed = false } = {},
    script: Fake.Script = [ok({ version: 9 })]
  ) => {
    const server = setup(["waits"])
    const browser = setup(script)
    const onServer = makeClient({
      defaultOptions: {
        ...hydration,
        dehydrate: {
          ...hydration.dehydrate,
          ...(isLetThrough && {
            shouldDehydrateQuery: (query) =>
              query.state.status === "pending" || hydration.dehydrate.shouldDehydrateQuery(query)
          })
        }
      }
    })
    void onServer.prefetchQuery(server.quartet.queryOptions(requests.get, { id: "r1" }))
    if (isNarrowed)
      void onServer.prefetchQuery(server.quartet.queryOptions(requests.get.as(Mine), { id: "r1" }))
    const state = streamed(onServer)
    const inBrowser = makeClient({
      defaultOptions: {
        ...hydration,
        // Without the pause before TanStack asks again.
        hydrate: { ...hydration.hydrate, queries: { ...hydration.hydrate.queries, retryDelay: 0 } },
        queries: { staleTime: 60_000, retryDelay: 0 }
      }
    })
    await render(
      <QueryClientProvider client={inBrowser}>
        <HydrationBoundary state={state}>
          <Suspense fallback="Loading…">{shows(browser.quartet)}</Suspense>
        </HydrationBoundary>
      </QueryClientProvider>
    )
    await during()
    return { browser, server, state }
  }
  /** Waits until TanStack has asked again, and what comes of it is shown. */
  const awaitExchanges = (fake: Fake.Fake, times: number) =>
    act(async () => {
      await eventually(() => expect(fake.exchanges.length).toBeGreaterThanOrEqual(times))
      await flush()
    })
  type Quartet = ReturnType<typeof setup>["quartet"]
  const Shown = ({ quartet }: { readonly quartet: Quartet }) => {
    const { data } = useSuspenseQuery(quartet.queryOptions(requests.get, { id: "r1" }))
    return `${data.createdAt instanceof Date ? data.createdAt.toISOString() : "no date"} ${data.version}`
  }

  test("waits for them, Dates as Dates, and asks for nothing, where pending queries are let through", async () => {
    const { browser, server } = await open((quartet) => <Shown quartet={quartet} />)
    expect(text()).toBe("Loading…")
    await during(() => server.fake.at(0).settle(ok({ createdAt: time })))
    await during()
    expect([text(), browser.fake.exchanges.length]).toEqual([`${time} 1`, 0])
  })

  test("asks itself without that line, because `hydration` lets through what is there", async () => {
    const { browser, state } = await open((quartet) => <Shown quartet={quartet} />, { isLetThrough: false })
    expect([state.queries, text(), browser.fake.exchanges.length]).toEqual([[], "no date 9", 1])
  })

  test("asks once for what fails there and here", async () => {
    const Failed = ({ quartet }: { readonly quartet: Quartet }) =>
      useQuery(quartet.queryOptions(requests.get, { id: "r1" })).error?._tag ?? "Loading…"
    const { browser, server } = await open((quartet) => <Failed quartet={quartet} />, {}, [
      Fake.json(404, {})
    ])
    await during(() => server.fake.at(0).settle(Fake.json(503, {})))
    await awaitExchanges(browser.fake, 1)
    expect(text()).toBe("NotFound")
    expect(browser.fake.exchanges).toHaveLength(1)
    complaints.length = 0
  })

  test("asks itself for what has failed there, and for what cannot travel", async () => {
    const Narrowed = ({ quartet }: { readonly quartet: Quartet }) => {
      const { data } = useSuspenseQuery(quartet.queryOptions(requests.get.as(Mine), { id: "r1" }))
      return ` ${data instanceof Mine}`
    }
    const { browser, server } = await open(
      (quartet) => [
        <Suspense key="a">
          <Shown quartet={quartet} />
        </Suspense>,
        <Suspense key="b">
          <Narrowed quartet={quartet} />
        </Suspense>
      ],
      { isNarrowed: true }
    )
    await during(() => {
      server.fake.at(0).settle(Fake.json(403, {}))
      server.fake.at(1).settle(ok())
    })
    await awaitExchanges(browser.fake, 2)
    expect(text()).toBe("no date 9 true")
    expect(browser.fake.exchanges).toHaveLength(2)
    // TanStack tells of both outside of production.
    expect(
      complaints
        .map((complaint) => /PermissionDenied|plain data to travel/.exec(String(complaint))?.[0])
        .sort()
    ).toEqual(["PermissionDenied", "plain data to travel"])
    complaints.length = 0
  })
})
