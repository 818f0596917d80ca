/** The Chromium that all browser tests share. */
import { type Browser, chromium } from "playwright-core"
import { inject } from "vitest"

/** Connects to it; where none runs here, each test that needs it fails with what to do, and the others go on. */
export const connect = async (): Promise<Browser> => {
  const { endpoint, refusal } = inject("chromium")
  if (refusal !== undefined) throw new Error(refusal)
  return chromium.connect(endpoint)
}
