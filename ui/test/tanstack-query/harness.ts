/** A client over a scripted transport, the options of its calls, and a QueryClient that observes them. */

import { createAdmin } from "@quartet/sdk/promise/admin"
import * as Fake from "@quartet/support/fake-transport.js"
import { base, flush, token } from "@quartet/support/react.js"
import {
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  notifyManager,
  QueryClient,
  QueryObserver,
  type QueryObserverOptions
} from "@tanstack/react-query"
import { onTestFinished } from "vitest"
import { type KeyOptions, makeQueryOptions } from "../../tanstack-query/index.js"

// What observers are told comes with the microtasks, for which `flush` waits.
notifyManager.setScheduler(queueMicrotask)

/** A QueryClient that is emptied after the test, so that nothing of it is collected later. */
export const makeClient = (options?: ConstructorParameters<typeof QueryClient>[0]): QueryClient => {
  const queryClient = new QueryClient(options)
  onTestFinished(() => queryClient.clear())
  return queryClient
}

/** An admin's client over a fake. */
export const callOver = (fake: Fake.Fake) =>
  createAdmin({ ...base, sessionId: "s1", accessToken: token(), transport: fake.service })

/** The options of its calls. */
export const quartetOf = (fake: Fake.Fake, keys?: KeyOptions) => makeQueryOptions(callOver(fake), keys)

/** The same over a script, and a QueryClient. */
export const setup = (script: Fake.Script) => {
  const fake = Fake.make(script)
  return { fake, quartet: quartetOf(fake), queryClient: makeClient() }
}

/** Observes a query, as a component does. */
export const observe = async <A, E, K extends ReadonlyArray<unknown>>(
  queryClient: QueryClient,
  options: QueryObserverOptions<A, E, A, A, K>
) => {
  const observer = new QueryObserver(queryClient, options)
  const stop = observer.subscribe(() => undefined)
  onTestFinished(stop)
  await flush()
  return { now: () => observer.getCurrentResult(), stop, observer }
}

/** Observes an infinite query. */
export const observePages = async <A, E, K extends ReadonlyArray<unknown>, P>(
  queryClient: QueryClient,
  options: InfiniteQueryObserverOptions<A, E, InfiniteData<A, P>, K, P>
) => {
  const observer = new InfiniteQueryObserver(queryClient, options)
  const stop = observer.subscribe(() => undefined)
  onTestFinished(stop)
  await flush()
  return { now: () => observer.getCurrentResult(), stop, observer }
}
