/** A place to render components in, in Strict Mode, with an ear for React's complaints. */
import { act, type ReactNode, StrictMode } from "react"
import { createRoot, type Root } from "react-dom/client"
import { afterEach, beforeEach, vi } from "vitest"
import { QuartetProvider, type Registry } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { request, turn } from "./scripted.js"

let root: Root
let host: HTMLElement

/** What React, or anything else, has written to the console. */
export const complaints: Array<unknown> = []

/** Gives each test of a file a root of its own. */
export const staged = () => {
  beforeEach(() => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)
    complaints.length = 0
    vi.spyOn(console, "error").mockImplementation((...words) => complaints.push(words.join(" ")))
    vi.spyOn(console, "warn").mockImplementation((...words) => complaints.push(words.join(" ")))
    host = document.createElement("div")
    document.body.append(host)
    root = createRoot(host)
  })

  afterEach(async () => {
    await act(async () => root.unmount())
    host.remove()
    vi.restoreAllMocks()
  })
}

/** Lets everything that is due happen. */
export const settle = () => act(turn)

/** Renders as it stands. */
export const render = (node: ReactNode) => act(async () => root.render(node))

/** All elements of a kind. */
export const all = (selector: string): ReadonlyArray<Element> => [...host.querySelectorAll(selector)]

/** Renders in Strict Mode, under one provider. */
export const show = async (children: ReactNode, registry?: Registry) => {
  await act(async () => {
    root.render(
      <StrictMode>
        {registry === undefined ? (
          <QuartetProvider>{children}</QuartetProvider>
        ) : (
          <QuartetProvider registry={registry}>{children}</QuartetProvider>
        )}
      </StrictMode>
    )
    await turn()
  })
}

/** All text that is shown. */
export const text = (): string => host.textContent ?? ""

/** Clicks the button with this label, and lets happen what follows. */
export const press = async (label: string) => {
  const button = [...host.querySelectorAll("button")].find((found) => found.textContent === label)
  if (button === undefined) throw new Error(`there is no button ${label}`)
  await act(async () => {
    button.click()
    await turn()
  })
}

/** Answers a request that counts in its version how often it was asked for. */
export const answers: Fake.Script = (_, place) => Fake.json(200, request("r1", { version: place + 1 }))
