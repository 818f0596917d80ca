// @vitest-environment happy-dom
// The explorer's door past the known fields of a body: it is written as JSON, and goes as it is.

import { QuartetProvider } from "@quartet/react"
import { pushUnsafe } from "@swan-io/chicane"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { expect, onTestFinished, test, vi } from "vitest"
import { registry } from "../app/cells.js"
import { Router } from "../app/routes.js"
import Explorer from "../views/explorer/view.js"

/** Shows the explorer at a call. */
const show = async (call: string) => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)
  pushUnsafe(Router.Explorer({ call }))
  const place = document.body.appendChild(document.createElement("div"))
  const root = createRoot(place)
  await act(async () =>
    root.render(
      <QuartetProvider registry={registry}>
        <Explorer />
      </QuartetProvider>
    )
  )
  onTestFinished(async () => {
    await act(async () => root.unmount())
    vi.unstubAllGlobals()
  })
  const labels = () => [...place.querySelectorAll("form label")].map(({ textContent }) => textContent)
  const code = async (language: string) => {
    await act(async () => place.querySelector<HTMLInputElement>(`[value="${language}"]`)?.click())
    return place.querySelector('[aria-label="Code"]')?.textContent ?? ""
  }
  return { place, labels, code, door: () => place.querySelector<HTMLInputElement>("input[type=checkbox]") }
}

test("a body with known fields is written as JSON where a person asks for it, and the code says so", async () => {
  const { code, door, labels, place } = await show("admin.payments.refund")
  expect(labels()).toEqual(expect.arrayContaining(["Amount", "Reason"]))
  await act(async () => door()?.click())
  expect(labels()).toEqual(["ID", "Payload"])
  const body = place.querySelector("textarea")
  await act(async () => {
    // React hears of a value that is set past its own setter.
    const prototype = Object.getPrototypeOf(body)
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(body, '{"amount": 5, "amout": 4}')
    body?.dispatchEvent(new Event("input", { bubbles: true }))
  })
  expect(await code("curl")).toContain('"amout":4')
  expect(await code("Promise")).toContain("payload: Input.raw({\n    amount: 5,\n    amout: 4\n  })")
})

test("a call without a body has no such door", async () => {
  expect((await show("admin.users.list")).door()).toBeNull()
})
