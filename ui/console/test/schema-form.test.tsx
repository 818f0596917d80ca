// @vitest-environment happy-dom
// What a form made from a schema shows, and what it sends of a row that it changes.

import { QuartetProvider } from "@quartet/react"
import { DateTime } from "@quartet/sdk/extend"
import * as Schema from "effect/Schema"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { expect, onTestFinished, test, vi } from "vitest"
import { registry } from "../app/cells.js"
import { Form } from "../data/form.js"
import { useSchemaForm } from "../data/schema-form.js"

const Body = Schema.Struct({
  title: Schema.String,
  version: Schema.Number,
  said: Schema.Struct({
    ka: Schema.Struct({ title: Schema.optional(Schema.String).annotations({ title: "Georgian title" }) })
  })
})

const row = {
  title: "Two\nlines",
  version: 3,
  updatedAt: new Date(0),
  said: { ka: { title: "Sataouri", text: "Kept" }, de: { title: "Kept" } }
}

/** Shows a form that changes a row whose latest state is `present`, and returns how to type and to send. */
const show = async (body: Pick<Schema.Schema.Any, "ast">, present: object = row, begun = present) => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)
  const submit = vi.fn(async () => ({ status: "success" }))
  const Changing = () => {
    const { controls, form } = useSchemaForm({
      fields: [{ name: "payload", ast: body.ast, isRequired: true }],
      initial: { payload: begun },
      present: async () => ({ status: "success", data: { ...present } }),
      submit
    })
    return <Form of={form}>{controls}</Form>
  }
  const place = document.body.appendChild(document.createElement("div"))
  const root = createRoot(place)
  await act(async () =>
    root.render(
      <QuartetProvider registry={registry}>
        <Changing />
      </QuartetProvider>
    )
  )
  onTestFinished(async () => {
    await act(async () => root.unmount())
    vi.unstubAllGlobals()
  })
  const control = (label: string) => {
    const labelElement = [...place.querySelectorAll("label")].find(({ textContent }) => textContent === label)
    return place.querySelector<HTMLInputElement>(`[id="${labelElement?.htmlFor}"]`)
  }
  return {
    control,
    send: async (label: string, text: string) => {
      const input = control(label)
      await act(async () => {
        // React hears of a value that is set past its own setter.
        const prototype = Object.getPrototypeOf(input)
        Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(input, text)
        input?.dispatchEvent(new Event("input", { bubbles: true }))
      })
      await act(async () => place.querySelector("form")?.requestSubmit())
      return submit.mock.calls
    }
  }
}

test("a text of several lines has room, a title is a label, and the version has no field", async () => {
  const { control } = await show(Body)
  expect(control("Title")?.tagName).toBe("TEXTAREA")
  expect(control("Georgian title")?.tagName).toBe("INPUT")
  expect(control("Version")).toBeNull()
})

test("of an object that was changed the rest goes along, as it was read last, with the version", async () => {
  const latest = { ...row, said: { ...row.said, de: { title: "Theirs" } } }
  const { send } = await show(Body, latest, row)
  const said = { ka: { title: "Akhali", text: "Kept" }, de: { title: "Theirs" } }
  expect(await send("Georgian title", "Akhali")).toEqual([[{ payload: { said, version: 3 } }]])
})

test("a field that is called version and has a title is one of the form's own", async () => {
  const version = Schema.propertySignature(Schema.Number).annotations({ title: "Release" })
  const { control, send } = await show(Schema.Struct({ ...Body.fields, version }))
  expect(control("Release")?.value).toBe("3")
  expect(await send("Release", "4")).toEqual([[{ payload: { version: 4 } }]])
})

test("a moment is a field in local time that keeps the instant, and a day is one of a day", async () => {
  vi.stubEnv("TZ", "Asia/Tbilisi")
  onTestFinished(() => void vi.unstubAllEnvs())
  const day = DateTime.annotations({ description: "an ISO 8601 date" })
  const startsAt = new Date("2024-11-24T10:30:00.000Z")
  const body = Schema.Struct({ startsAt: DateTime, endsAt: DateTime, day })
  const { control, send } = await show(body, {
    startsAt,
    endsAt: new Date("2024-11-24T12:00:05Z"),
    day: startsAt
  })
  const labels = ["Starts at", "Starts at, time", "Ends at", "Ends at, time", "Day"]
  expect(labels.map((label) => control(label)?.value)).toEqual([
    "24 Nov 2024",
    "14:30",
    "24 Nov 2024",
    "16:00:05",
    "24 Nov 2024"
  ])
  const later = new Date("2024-11-24T11:00:00.000Z")
  expect(await send("Starts at, time", "15:00")).toEqual([[{ payload: { startsAt: later } }]])
})

test.each([
  [["a", "b"], "a, b", "a, b,, c,", ["a", "b", "c"]],
  [["a, b", "c"], '["a, b","c"]', '["a, b","d"]', ["a, b", "d"]],
  [["a"], "a", "", []]
])("of a list, %j, no item is lost or empty", async (interests, before, typed, sent) => {
  const { control, send } = await show(
    Schema.Struct({ interests: Schema.optional(Schema.Array(Schema.String)) }),
    {
      interests
    }
  )
  expect(control("Interests")?.value).toBe(before)
  expect(await send("Interests", typed)).toEqual([[{ payload: { interests: sent } }]])
})

test("of a row without known fields the secrets are not shown, and what differs alone is sent", async () => {
  const { control, send } = await show(Schema.Unknown, {
    name: "One",
    floors: 3,
    apiKey: "of-nobody",
    same: [1]
  })
  expect(control("Payload")?.value).not.toContain("of-nobody")
  const payload = { name: "Two", floors: null }
  expect(await send("Payload", '{ "name": "Two", "same": [1] }')).toEqual([[{ payload }]])
})
