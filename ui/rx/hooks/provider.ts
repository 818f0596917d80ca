"use client"
/** The provider, and the answers that come with a page. */
import { RegistryContext } from "@effect-rx/rx-react"
import * as React from "react"
import { type DehydratedState, settle, stage } from "../hydration.js"
import { isServer, makeRegistry, provided, type Registry } from "../registry.js"
import { listen, openStream, receive, takeScript } from "../streaming.js"
import { useRegistry } from "../value.js"

/** The props of the provider. @category models */
export interface QuartetProviderProps {
  readonly children?: React.ReactNode
  /** A registry that the app has made: a server's request has one, which it fills before it renders. */
  readonly registry?: Registry
  /** Answers that a server has written into the page with `dehydrate`. */
  readonly state?: DehydratedState
}

/** Takes answers over that have come with the page. */
const useArrived = (registry: Registry, state: DehydratedState | undefined): void => {
  // What is new is taken in while rendering, so that it is shown at once; the rest afterwards.
  React.useMemo(() => {
    if (state !== undefined) stage(registry, state)
  }, [registry, state])
  React.useEffect(() => {
    if (state !== undefined) settle(registry)
  }, [registry, state])
}

/**
 * Holds the state of every query, mutation, chat and session inside. One around the whole app is right; it works with
 * any number of query clients. When it is unmounted, everything under way is interrupted.
 *
 * effect-rx's `RegistryProvider` disposes its registry for good when an `Activity` hides it.
 *
 * @example
 * ```tsx
 * import { QuartetProvider } from "@quartet/react"
 *
 * const Root = () => (
 *   <QuartetProvider>
 *     <main>The app</main>
 *   </QuartetProvider>
 * )
 * ```
 * @category hooks
 */
export const QuartetProvider = ({ children, registry, state }: QuartetProviderProps): React.ReactElement => {
  const [own] = React.useState(makeRegistry)
  const current = registry ?? own
  if (!provided.has(current)) provided.set(current, registry === undefined)
  useArrived(current, state)
  const timer = React.useRef<ReturnType<typeof setTimeout>>(undefined)
  React.useEffect(() => {
    provided.set(own, false)
    clearTimeout(timer.current)
    return () => {
      // Strict Mode unmounts and mounts again at once, without a reason to interrupt anything.
      timer.current = setTimeout(() => own.reset(), 0)
    }
  }, [own])
  return React.createElement(RegistryContext.Provider, { value: current }, children)
}

/** The props of a hydration boundary. @category models */
export interface HydrationBoundaryProps {
  readonly children?: React.ReactNode
  /** Answers that a server has written with `dehydrate`, or the promise of them. */
  readonly state: DehydratedState | PromiseLike<DehydratedState>
}

/** Waits for a promise. React 18 is thrown it, and tells how it stands as React 19 does: by fields of the promise. */
const use = <A>(promise: React.ReactPromise<A>): A => {
  // By its name alone: bundlers warn of what React 18 does not export.
  const native: typeof React.use | undefined = Reflect.get(React, "use")
  if (native !== undefined) return native(promise)
  if (promise.status === "fulfilled") return promise.value
  if (promise.status === "rejected") throw promise.reason
  if (promise.status === undefined) {
    const pending = Object.assign(promise, { status: "pending" })
    promise.then(
      (value) => void Object.assign(pending, { status: "fulfilled", value }),
      (reason: unknown) => void Object.assign(pending, { status: "rejected", reason })
    )
  }
  throw promise
}

const isPromise = <A>(value: A | PromiseLike<A>): value is PromiseLike<A> =>
  typeof Object(value).then === "function"

/**
 * Hands answers of a server to the provider around it. Where they are still on their way, it suspends, and so they follow
 * the page to the place where they are shown:
 *
 * ```tsx
 * <Suspense fallback={<p>Loading…</p>}>
 *   <HydrationBoundary state={prefetchState(comments(id))}>
 *     <Comments id={id} />
 *   </HydrationBoundary>
 * </Suspense>
 * ```
 * @category hooks
 */
export const HydrationBoundary = ({ children, state }: HydrationBoundaryProps): React.ReactElement => {
  useArrived(useRegistry(), isPromise(state) ? use(state) : state)
  return React.createElement(React.Fragment, undefined, children)
}

/** The props of streamed hydration. @category models */
export interface StreamedHydrationProps {
  readonly children?: React.ReactNode
  /**
   * The hook of a framework that writes into the page between what React has rendered so far and what comes next: Next has
   * one of this name in `next/navigation`. An app that renders by itself uses `streamAnswers`.
   */
  readonly useServerInsertedHTML?: (insert: () => React.ReactNode) => void
  /** What a Content-Security-Policy asks of the scripts that bring the answers. */
  readonly nonce?: string
}

const insertNothing = (): void => undefined

/**
 * Brings the answers that `useSuspenseQuery` waited for on a server to the browser, with the HTML that shows them, so that
 * the browser does not ask again. Put it inside of the provider, around everything else. @category hooks
 */
export const StreamedHydration = ({
  children,
  nonce,
  useServerInsertedHTML = insertNothing
}: StreamedHydrationProps): React.ReactElement => {
  const registry = useRegistry()
  const id = React.useId()
  React.useMemo(() => (isServer() ? openStream(registry, id) : receive(registry, id)), [registry, id])
  React.useEffect(() => listen(registry, id), [registry, id])
  useServerInsertedHTML(() => {
    const script = takeScript(registry)
    if (script === "") return null
    return React.createElement("script", { nonce, dangerouslySetInnerHTML: { __html: script } })
  })
  return React.createElement(React.Fragment, undefined, children)
}
