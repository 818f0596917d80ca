"use client"
/** The hook of an outbox. */
import * as React from "react"
import { useRegistry, useValue } from "../rx/value.js"
import type { Outbox, OutboxActions, OutboxState } from "./model.js"

/**
 * What an outbox keeps for the person who is signed in, and ways to act on it. While a component shows it, the outbox sends
 * what was kept before a reload: mount it near the root of the app.
 *
 * ```tsx
 * const { entries, discard, retry } = useOutbox(outbox)
 * ```
 * @category hooks
 */
export const useOutbox = (outbox: Outbox): OutboxState & OutboxActions => {
  const registry = useRegistry()
  const state = useValue(outbox)
  const actions = React.useMemo(() => outbox.actions(registry), [outbox, registry])
  return React.useMemo(() => ({ ...state, ...actions }), [state, actions])
}
