// An app ships the calls that it uses: bundled from the sources, with effect, by two bundlers.

import { patient } from "@quartet/support/patience.js"
import { describe, expect, test } from "vitest"
import { operations } from "../../core/catalogue.js"
import { type Bundle, bundlers } from "./bundlers.js"
import { contentsOf } from "./contents.js"

const apps = {
  oneCall: "test/bundle/apps/one-call.ts",
  oneCallOfClient: "test/bundle/apps/one-call-of-client.ts",
  twoCalls: "test/bundle/apps/two-calls.ts",
  socket: "test/bundle/apps/socket.ts",
  promise: "test/bundle/apps/promise.ts",
  promiseCall: "test/bundle/apps/promise-call.ts",
  query: "test/bundle/apps/one-query.tsx",
  live: "test/bundle/apps/live.ts",
  outbox: "test/bundle/apps/outbox.tsx",
  devtools: "test/bundle/apps/devtools.tsx",
  devtoolsInDevelopment: "test/bundle/apps/devtools-in-development.tsx",
  devtoolsLazy: "test/bundle/apps/devtools-lazy.tsx",
  stream: "test/bundle/apps/stream.ts",
  tanstackQuery: "test/bundle/apps/tanstack-query.ts",
  streamedQuery: "test/bundle/apps/streamed-query.tsx",
  tabs: "test/bundle/apps/tabs.ts"
}

/** What socket.io's client leaves in a bundle, minified or not. */
const socketIo = /socket\.?io|engine\.?io/i

/** What the devtools leave in a bundle: the name of their element. */
const devtools = /quartet-devtools/

/** What their panel leaves in a bundle. */
const panel = /adoptedStyleSheets/

/** What the outbox leaves in a bundle: the name of its database and of its lock. */
const outbox = /quartet-outbox/

/** React, which an app has anyway. */
const react = /^(react|react-dom|scheduler)(\/|$)/

/** What Stream and its Channel leave in a bundle. */
const stream = /effect\/ChannelState/

/** What the options for TanStack Query leave in a bundle. */
const tanstackQuery = /\$unreadable/

/** What events that change answers leave in a bundle: their kinds. */
const live = /.added.,\s*.changed./

/** What Suspense leaves in a bundle, and what the encoder of answers does, which a server needs alone. */
const suspense = /visitors of a server would share/
const encoder = /effect\/ParseResult\//

/** What a session that tabs share leaves in a bundle. */
const tabs = /quartet\.session\./

const ofSlice = (slice: string): ReadonlyArray<string> =>
  operations.map(({ name }) => name).filter((name) => name.startsWith(`${slice}.`))

const servesVisitors = operations.filter(({ declaration }) =>
  declaration().audiences.some((audience) => audience === "public")
)

describe.each(Object.entries(bundlers))(
  "bundled by %s",
  { timeout: patient(60_000) },
  (name, bundle: Bundle) => {
    test("an app that uses boxes.list alone holds no other operation and no socket.io", async () => {
      const { all } = await bundle(apps.oneCall)
      expect(contentsOf(all)).toEqual({ operations: ["boxes.list"], templates: ["v1/box"] })
      expect(all.join("\n")).not.toMatch(socketIo)
    })

    test("taken from the whole client, it holds no other slice", async () => {
      const contents = contentsOf((await bundle(apps.oneCallOfClient)).all)
      // esbuild keeps the namespace of a slice that is reached through a client's namespace; rolldown sees through it.
      const expected = name === "esbuild" ? [...ofSlice("boxes")].sort() : ["boxes.list"]
      expect(contents.operations).toEqual(expected)
    })

    test("a page with the Promise form of one client loads the calls of that client alone", async () => {
      const { first } = await bundle(apps.promise)
      const { operations: names, templates } = contentsOf(first)
      expect(names).toEqual([...new Set(servesVisitors.map((operation) => operation.name))].sort())
      expect(templates).toEqual(
        [...new Set(servesVisitors.map(({ declaration }) => declaration().path))].sort()
      )
      expect(first.join("\n")).not.toMatch(socketIo)
    })

    test("the Promise form of one call holds no other operation, and neither Stream nor socket.io", async () => {
      const { all } = await bundle(apps.promiseCall)
      expect(contentsOf(all)).toEqual({ operations: ["boxes.list"], templates: ["v1/box"] })
      for (const absent of [socketIo, stream]) expect(absent.test(all.join("\n"))).toBe(false)
    })

    test("an app with queries and without an outbox holds none; one with it holds one operation alone", async () => {
      expect((await bundle(apps.query, react)).all.join("\n")).not.toMatch(outbox)
      const { all } = await bundle(apps.outbox, react)
      expect(all.join("\n")).toMatch(outbox)
      expect(contentsOf(all).operations).toEqual([
        "auth.legacyLogin",
        "auth.login",
        "auth.self",
        "requests.markSeen"
      ])
    })

    test("the devtools cost nothing unless they are mounted, and then their panel is loaded by itself", async () => {
      const holds = (code: ReadonlyArray<string>) =>
        [devtools, panel].map((pattern) => pattern.test(code.join("\n")))
      for (const app of [apps.query, apps.outbox])
        expect(holds((await bundle(app, react)).all)).toEqual([false, false])
      const { all, first } = await bundle(apps.devtools, react)
      expect(holds(first)).toEqual([true, false])
      expect(holds(all)).toEqual([true, true])
    })

    test("devtools behind a condition that a production build knows are not in it", async () => {
      const { all, first } = await bundle(apps.devtoolsInDevelopment, react)
      // esbuild writes the file of a panel that nothing loads.
      const code = (name === "esbuild" ? first : all).join("\n")
      expect(code).toMatch(/boxes\.list/)
      for (const absent of [devtools, panel]) expect(absent.test(code)).toBe(false)
    })

    test("devtools that are imported behind such a condition cost nothing", async () => {
      const without = (await bundle(apps.query, react)).all
      const { all } = await bundle(apps.devtoolsLazy, react)
      expect(all).toHaveLength(without.length)
      for (const absent of [devtools, panel]) expect(absent.test(all.join("\n"))).toBe(false)
    })

    test("the options for TanStack Query cost nothing unless they are imported, and then hold one call, no Stream and no React", async () => {
      for (const app of [apps.promiseCall, apps.promise, apps.query])
        expect(tanstackQuery.test((await bundle(app)).all.join("\n"))).toBe(false)
      const { all } = await bundle(apps.tanstackQuery, /^@tanstack\//)
      expect(contentsOf(all)).toEqual({ operations: ["boxes.list"], templates: ["v1/box"] })
      const code = all.join("\n")
      for (const absent of [socketIo, stream, /react\.element/]) expect(absent.test(code)).toBe(false)
      expect(tanstackQuery.test(code)).toBe(true)
    })

    test("an app with a query holds nothing of Suspense", async () => {
      expect((await bundle(apps.query)).all.join("\n")).not.toMatch(suspense)
    })

    test("an app with queries that no events change holds nothing of those", async () => {
      const bundled = [await bundle(apps.query), await bundle(apps.live, react)]
      expect(bundled.map(({ all }) => live.test(all.join("\n")))).toEqual([false, true])
    })

    test("a page that is streamed loads no encoder of answers", async () => {
      const text = (await bundle(apps.streamedQuery)).all.join("\n")
      expect([suspense, encoder].map((word) => word.test(text))).toEqual([true, false])
    })

    test("control: Stream is found where it is used", async () => {
      expect(stream.test((await bundle(apps.stream)).all.join("\n"))).toBe(true)
    })

    test("a page with one query holds nothing of sessions that tabs share", async () => {
      expect(tabs.test((await bundle(apps.query)).all.join("\n"))).toBe(false)
    })

    test("control: a session that tabs share is found where it is used", async () => {
      expect(tabs.test((await bundle(apps.tabs)).all.join("\n"))).toBe(true)
    })

    test("control: an operation that is used is found", async () => {
      const contents = contentsOf((await bundle(apps.twoCalls)).all)
      expect(contents.operations).toEqual(["boxes.list", "items.get"])
      expect(contents.templates).toEqual(["ecommerce/item/{id}", "v1/box"])
    })

    test("control: socket.io is found where it is used", async () => {
      expect((await bundle(apps.socket)).all.join("\n")).toMatch(socketIo)
    })
  }
)
