"use client"
/** What an app puts around its components: the place that holds the present state of all its queries. */
import { createElement, type ReactElement, type ReactNode, useEffect, useMemo, useState } from "react"
import { makeRegistry, type Registry, RegistryBoundary } from "./engine.js"
import { type DehydratedState, settle, stage } from "./hydration.js"

export interface QuartetProviderProps {
  readonly children?: ReactNode
  /** A registry that the app has made: a server's request has one, which it fills before it renders. */
  readonly registry?: Registry
  /** Answers that a server has written into the page with `dehydrate`. */
  readonly state?: DehydratedState
}

/** Takes in what came with the page: what is new while rendering, so that it is shown at once; the rest afterwards. */
const useArrived = (registry: Registry, state: DehydratedState | undefined): void => {
  useMemo(() => {
    if (state !== undefined) stage(registry, state)
  }, [registry, state])
  useEffect(() => {
    if (state !== undefined) settle(registry)
  }, [registry, state])
}

/**
 * Holds the state of every query, mutation, chat and session inside. One around the whole app is right; it works with
 * any number of clients. When it is unmounted, everything under way is given up.
 */
export const QuartetProvider = ({ children, registry, state }: QuartetProviderProps): ReactElement => {
  const [own] = useState(makeRegistry)
  const held = registry ?? own
  useArrived(held, state)
  useEffect(() => {
    abandoned.get(own)?.()
    return () => {
      // Strict Mode unmounts and mounts again at once, without a reason to give anything up.
      const timer = setTimeout(() => own.reset(), 0)
      abandoned.set(own, () => clearTimeout(timer))
    }
  }, [own])
  return createElement(RegistryBoundary, { registry: held }, children)
}

const abandoned = /*#__PURE__*/ new WeakMap<Registry, () => void>()
