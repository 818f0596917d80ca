// @vitest-environment happy-dom
// A server that streams: the page comes before its answers, each answer before the HTML that shows it, and none is asked for twice.
import { Readable } from "node:stream"
import type { ReadableStream as NodeStream } from "node:stream/web"
import * as Admin from "@quartet/sdk/admin"
import { eventually } from "@quartet/support/eventually.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { adminClient, complaints, during, ok, request, withRoot } from "@quartet/support/react.js"
import { type ReactNode, StrictMode, Suspense } from "react"
import { hydrateRoot } from "react-dom/client"
import { renderToReadableStream, renderToStaticMarkup } from "react-dom/server"
import { afterEach, describe, expect, test, vi } from "vitest"
import {
  HydrationBoundary,
  prefetch,
  prefetchState,
  QuartetProvider,
  type Registry,
  StreamedHydration,
  type StreamedHydrationProps,
  streamAnswers,
  useSuspenseQuery
} from "../../rx/index.js"

withRoot()
// Server and browser are one process here.
const isOurs = (complaint: unknown): boolean => !String(complaint).includes("multiple renderers concurrently")
afterEach(() => expect(complaints.filter(isOurs)).toEqual([]))

/** Does something where there is no window, as on a server. */
const onServer = async <A,>(run: () => Promise<A>): Promise<A> => {
  const { window } = globalThis
  vi.stubGlobal("window", undefined)
  try {
    return await run()
  } finally {
    vi.stubGlobal("window", window)
  }
}

/** All HTML of a page, once everything that it waits for is there. */
const rendered = (node: ReactNode, registry: Registry, options: { readonly nonce?: string } = {}) =>
  onServer(async () => {
    const stream = await renderToReadableStream(node)
    await stream.allReady
    const come = collect(streamAnswers(stream, registry, options))
    await come.ended
    return come.html
  })

/** The id of the request that is asked for. */
const idIn = ({ path }: { readonly path: string }): string => /request-action\/(\w+)/.exec(path)?.[1] ?? ""

const time = "2024-05-01T10:00:00.000Z"

/** A side of the page: its query client, and the page with a place for each id. */
const setup = (script: Fake.Script, ids: ReadonlyArray<string> = ["r1"]) => {
  const fixture = adminClient(script, { staleTime: 60_000 })
  const Request = ({ id }: { readonly id: string }) => {
    const { data } = useSuspenseQuery(fixture.get(id))
    const year = data.createdAt instanceof Date ? data.createdAt.getUTCFullYear() : "no year"
    return <p>{`${data._id} of ${year}`}</p>
  }
  const page = ({
    registry,
    ...props
  }: { readonly registry?: Registry } & Omit<StreamedHydrationProps, "children"> = {}) => (
    <StrictMode>
      <QuartetProvider {...(registry === undefined ? {} : { registry })}>
        <StreamedHydration {...props}>
          <main>
            {ids.map((id) => (
              <Suspense key={id} fallback={`waiting for ${id}`}>
                <Request id={id} />
              </Suspense>
            ))}
          </main>
        </StreamedHydration>
      </QuartetProvider>
    </StrictMode>
  )
  return { ...fixture, page, Request }
}

const answer = (id = "r1") => Fake.json(200, request(id, { createdAt: time }))

/** Reads a stream; answers all of it so far. */
const collect = (stream: ReadableStream<Uint8Array>) => {
  const collected = { html: "" }
  const read = async () => {
    const decoder = new TextDecoder()
    // Node's type of the same class.
    for await (const chunk of Readable.fromWeb(stream as NodeStream))
      collected.html += decoder.decode(chunk, { stream: true })
  }
  return Object.assign(collected, { ended: read() })
}

const ours = /<script[^>]*>(\(self\["quartet .*?)<\/script>/g

/** What a browser does with a page that has come as a whole: it runs our scripts, and hydrates. */
const opened = async (html: string, node: ReactNode) => {
  const host = document.createElement("div")
  host.innerHTML = html.replace(/<script.*?<\/script>/g, "")
  for (const [, code = ""] of html.matchAll(ours)) new Function(code)()
  let root: ReturnType<typeof hydrateRoot> | undefined
  await during(() => {
    root = hydrateRoot(host, node)
  })
  return { host, close: () => during(() => root?.unmount()) }
}

test("the page comes first, then each answer before its HTML, as soon as it is there", () =>
  onServer(async () => {
    const { fake, page, registry } = setup(["waits"], ["r1", "r2"])
    const come = collect(streamAnswers(await renderToReadableStream(page({ registry })), registry))
    await eventually(() => expect(come.html).toContain("waiting for r2"))
    expect(come.html).not.toContain("<script>(self")
    // Nothing else of the page waits for the first one.
    for (const [place, id] of [
      [1, "r2"],
      [0, "r1"]
    ] as const) {
      fake.at(place).settle(answer(id))
      await eventually(() => expect(come.html).toContain(`<p>${id} of 2024</p>`))
      expect(come.html.indexOf(`"_id":"${id}"`)).toBeGreaterThan(-1)
      expect(come.html.indexOf(`"_id":"${id}"`)).toBeLessThan(come.html.indexOf(`<p>${id} of 2024</p>`))
    }
    await come.ended
    expect([...come.html.matchAll(ours)].length).toBe(2)
    expect(fake.exchanges).toHaveLength(2)
  }))

test("the browser takes the answers over: no exchange, no complaint", async () => {
  const server = setup(() => answer())
  const html = await rendered(server.page({ registry: server.registry }), server.registry)
  const browser = setup([])
  const { close, host } = await opened(html, browser.page())
  expect(host.textContent).toBe("r1 of 2024")
  expect([server.fake.exchanges.length, browser.fake.exchanges.length]).toEqual([1, 0])
  await close()
})

test("what comes after the browser has begun is taken as well", async () => {
  const server = setup((sent) => answer(idIn(sent)), ["r1", "r2"])
  const html = await rendered(server.page({ registry: server.registry }), server.registry)
  const browser = setup(["waits"], ["r1", "r2"])
  const { close, host } = await opened(html.replace(ours, ""), browser.page())
  expect(browser.fake.exchanges.map(({ state }) => state)).toEqual(["open", "open"])
  await during(() => {
    for (const [, code = ""] of html.matchAll(ours)) new Function(code)()
  })
  expect(host.textContent).toBe("r1 of 2024r2 of 2024")
  await close()
})

test("a framework's own hook writes them, with the nonce that its policy asks for", async () => {
  const inserts: Array<() => ReactNode> = []
  const useServerInsertedHTML = (insert: () => ReactNode) => void inserts.push(insert)
  const { page, registry } = setup(() => answer())
  const inserted = () => renderToStaticMarkup(inserts.map((insert) => insert()))
  await onServer(async () => {
    const props = { registry, useServerInsertedHTML, nonce: "n1" }
    const stream = await renderToReadableStream(page(props))
    await stream.allReady
  })
  expect(inserted()).toMatch(/^<script nonce="n1">\(self\["quartet .*"r1".*<\/script>$/)
  expect(inserted()).toBe("")
})

test("a nonce cannot leave its attribute", async () => {
  const { page, registry } = setup(() => answer())
  const html = await rendered(page({ registry }), registry, { nonce: `a"><b` })
  expect(html).toContain('<script nonce="ab">(self')
})

test("what fails on the server is left to the browser, which asks once", async () => {
  const server = setup([Fake.json(503, {})])
  const shown = await onServer(async () => {
    const stream = await renderToReadableStream(server.page({ registry: server.registry }), {
      onError: () => "unavailable"
    })
    const come = collect(streamAnswers(stream, server.registry))
    await come.ended
    return come.html
  })
  expect(shown).toContain("waiting for r1")
  expect([...shown.matchAll(ours)]).toEqual([])
  expect(server.fake.exchanges).toHaveLength(1)
})

describe("what has failed before the server renders", () => {
  /** What a server's page holds of a query, and how often it was asked there; what the browser shows then. */
  const page = async (answerThere: Fake.Reply, isShared: boolean) => {
    const ahead = setup([answerThere])
    const state = await prefetchState(ahead.get())
    if (isShared) await prefetch(ahead.registry, ahead.get())
    const exchangeCount = ahead.fake.exchanges.length
    const server = isShared ? ahead : setup(() => answer())
    const within = (side: typeof server) =>
      isShared ? (
        side.page({ registry: side.registry })
      ) : (
        <QuartetProvider registry={side.registry}>
          <Suspense fallback="Loading…">
            <HydrationBoundary state={state}>
              <side.Request id="r1" />
            </HydrationBoundary>
          </Suspense>
        </QuartetProvider>
      )
    const faults: Array<unknown> = []
    const html = await onServer(async () => {
      const stream = await renderToReadableStream(within(server), {
        onError: (error) => {
          faults.push(error)
          return "left to the browser"
        }
      })
      await stream.allReady
      const come = collect(stream)
      await come.ended
      return come.html
    })
    const browser = setup(() => answer())
    const { close, host } = await opened(html, within(browser))
    const shown = host.textContent
    await close()
    // React tells of each boundary that a server has left to the browser.
    const fallbackComplaints = complaints.filter((complaint) =>
      String(complaint).includes("Switched to client rendering")
    )
    expect(fallbackComplaints).toHaveLength(faults.length)
    for (const complaint of fallbackComplaints) complaints.splice(complaints.indexOf(complaint), 1)
    return {
      state,
      faults,
      isShown: html.includes("r1 of 2024"),
      askedInRender: server.fake.exchanges.length - (isShared ? exchangeCount : 0),
      shown,
      askedInBrowser: browser.fake.exchanges.length
    }
  }

  test("is not asked again there, but by the browser, which is not told why", async () => {
    const { faults, state, ...come } = await page(Fake.json(500, { message: "inside" }), false)
    expect(state).toEqual([{ key: expect.any(String), value: null, at: 0, hasFailed: true }])
    expect(faults).toMatchObject([{ message: expect.stringContaining("requests.get failed on the server") }])
    expect(come).toEqual({ isShown: false, askedInRender: 0, shown: "r1 of 2024", askedInBrowser: 1 })
  })

  test("is not asked again in the registry that knows it either", async () => {
    const { faults, state: _, ...come } = await page(Fake.json(500, {}), true)
    expect(faults).toMatchObject([{ tag: "ServerFault" }])
    expect(come).toEqual({ isShown: false, askedInRender: 0, shown: "r1 of 2024", askedInBrowser: 1 })
  })

  test("control: what was answered there is shown, and asked nowhere again", async () => {
    const { state: _, ...come } = await page(answer(), false)
    expect(come).toEqual({
      faults: [],
      isShown: true,
      askedInRender: 0,
      shown: "r1 of 2024",
      askedInBrowser: 0
    })
  })
})

test("what a visitor who has left still waits for is given up", () =>
  onServer(async () => {
    const { clock, fake, page, registry } = setup(["waits"])
    const aborted = new AbortController()
    const stream = await renderToReadableStream(page({ registry }), {
      signal: aborted.signal,
      onError: () => undefined
    })
    const come = collect(stream)
    await eventually(() => expect(come.html).toContain("waiting for r1"))
    aborted.abort()
    await come.ended
    clock.pass(10_001)
    await eventually(() => expect(fake.exchanges.map(({ state }) => state)).toEqual(["abandoned"]))
  }))

test("without a provider nothing is asked on a server, whose visitors would share the answers", () =>
  onServer(async () => {
    const { fake, get } = setup(() => answer())
    const faults: Array<unknown> = []
    const Bare = () => <p>{useSuspenseQuery(get()).data._id}</p>
    const stream = await renderToReadableStream(
      <main>
        <Suspense>
          <Bare />
        </Suspense>
      </main>,
      { onError: (error) => void faults.push(error) }
    )
    await collect(stream).ended
    expect(faults).toMatchObject([{ _tag: "InputError", field: "registry" }])
    expect(fake.exchanges).toHaveLength(0)
  }))

test("prefetchState fetches for a page, and names what failed", async () => {
  const { client, fake, get } = adminClient((sent) =>
    idIn(sent) === "r2" ? Fake.json(404, {}) : ok({ createdAt: time })
  )
  const state = await prefetchState(get("r1"), get("r2"), client.query(Admin.requests.get, { id: "r3" }))
  expect(state.filter(({ hasFailed }) => hasFailed)).toHaveLength(1)
  const answers = state.filter(({ hasFailed }) => !hasFailed)
  expect(answers.map(({ value }) => Object(value).createdAt)).toEqual([time, time])
  expect(fake.exchanges).toHaveLength(3)
})
