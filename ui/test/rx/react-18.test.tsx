// @vitest-environment happy-dom
// React 18 has no `use`: what waits for a promise is thrown it instead.

import { adminClient, complaints, during, ok, show, text, withRoot } from "@quartet/support/react.js"
import { Component, type ReactNode, Suspense } from "react"
import { expect, test, vi } from "vitest"
import {
  type DehydratedState,
  dehydrate,
  HydrationBoundary,
  prefetch,
  useSuspenseQuery
} from "../../rx/index.js"

vi.mock("react", async (original) => ({ ...(await original<object>()), use: undefined }))

withRoot()

class Catch extends Component<{ readonly children: ReactNode }, { readonly caught: string }> {
  override state = { caught: "" }
  static getDerivedStateFromError(error: Error) {
    return { caught: error.message }
  }
  override render() {
    return this.state.caught === "" ? this.props.children : `caught ${this.state.caught}`
  }
}

/** A page below a promise of answers. */
const page = (state: Promise<DehydratedState>) => {
  const { fake, get } = adminClient([])
  const Version = () => <>{useSuspenseQuery(get()).data.version}</>
  const shown = show(
    <Catch>
      <Suspense fallback="waiting">
        <HydrationBoundary state={state}>
          <Version />
        </HydrationBoundary>
      </Suspense>
    </Catch>
  )
  return { fake, shown }
}

test("a hydration boundary waits for a promise of answers, and asks for nothing", async () => {
  const server = adminClient([ok({ version: 7 })])
  await prefetch(server.registry, server.get())
  let arrive = (_: DehydratedState): void => undefined
  const { fake, shown } = page(
    new Promise((resolve) => {
      arrive = resolve
    })
  )
  await shown
  expect(text()).toBe("waiting")
  await during(() => arrive(dehydrate(server.registry)))
  expect([text(), fake.exchanges.length, complaints]).toEqual(["7", 0, []])
})

test("a hydration boundary gives a promise that is rejected to the error boundary", async () => {
  let fail = (_: Error): void => undefined
  await page(
    new Promise((_, reject) => {
      fail = reject
    })
  ).shown
  expect(text()).toBe("waiting")
  await during(() => fail(new Error("no server")))
  expect(text()).toBe("caught no server")
})
