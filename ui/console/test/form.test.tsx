// @vitest-environment happy-dom
// What a form sends, and when: each submission once, and nothing while a field is not filled in.

import { QuartetProvider } from "@quartet/react"
import { InputError } from "@quartet/sdk/extend"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { registry } from "../app/cells.js"
import { Toasts } from "../app/toasts.js"
import { Form, useForm, useText } from "../data/form.js"
import { TextField } from "../design/field.js"

type Submit = Parameters<typeof useForm<string>>[1]

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)
  onTestFinished(() => void vi.unstubAllGlobals())
})

/** Shows a form of one required field, and returns how to submit it and what is seen. */
const show = async (title: string, submit: Submit, name = "title") => {
  const Titled = () => {
    const form = useForm({ [name]: title }, submit)
    return (
      <Form of={form}>
        <TextField label="Title" required {...form.field(name)} />
        <output>{form.busy ? "busy" : "idle"}</output>
      </Form>
    )
  }
  const place = document.body.appendChild(document.createElement("div"))
  const root = createRoot(place)
  await act(async () =>
    root.render(
      <QuartetProvider registry={registry}>
        <Titled />
        <Toasts />
      </QuartetProvider>
    )
  )
  onTestFinished(() => act(async () => root.unmount()))
  return {
    submit: (times: number) =>
      act(async () => {
        for (let time = 0; time < times; time++) place.querySelector("form")?.requestSubmit()
      }),
    seen: (selector: string) => place.querySelector(selector)?.textContent,
    /** The titles of the messages over the page. */
    said: () => [...document.querySelectorAll("[slot=title]")].map(({ textContent }) => textContent)
  }
}

test("two submissions in one tick send once, and a later one sends again", async () => {
  const sent: Array<() => void> = []
  const form = await show(
    "A",
    () => new Promise((resolve) => sent.push(() => resolve({ status: "success" })))
  )
  await form.submit(2)
  expect([sent.length, form.seen("output")]).toEqual([1, "busy"])
  await act(async () => sent[0]?.())
  await form.submit(1)
  expect(sent.length).toBe(2)
})

test.each<[string, Submit]>([
  [
    "throws",
    () => {
      throw new Error("no")
    }
  ],
  ["rejects", () => Promise.reject(new Error("no"))]
])("a submission that %s is said to have failed, and the form can be sent again", async (_, submit) => {
  const spy = vi.fn(submit)
  const form = await show("A", spy)
  await form.submit(1)
  expect([form.seen("output"), ...form.said()]).toEqual(["idle", "Something went wrong"])
  await form.submit(1)
  expect(spy).toHaveBeenCalledTimes(2)
})

test("a new failure of a form takes the place of the one before, whatever it says", async () => {
  const operation = "form"
  const failures = [new Error("no"), new InputError({ operation, field: "other", rule: "must be new" })]
  let times = 0
  const form = await show("A", async () => ({ status: "error", error: failures[times++ % 2] }))
  for (const said of ["Something went wrong", "Check what you entered", "Something went wrong"]) {
    await form.submit(1)
    expect(form.said()).toEqual([said])
  }
})

test.each(["", " \t "])(
  "a required field that holds %j is refused beside it, and nothing is sent",
  async (title) => {
    const submit = vi.fn<Submit>()
    const form = await show(title, submit)
    await form.submit(1)
    expect(form.seen("[role=alert]")).toMatch(/./)
    expect([document.activeElement?.getAttribute("name"), submit.mock.calls]).toEqual(["title", []])
  }
)

test.each([
  ["title", "payload.title"],
  ["payload.title", "title"],
  ["title", "title"]
])("a refusal of %j stands beside the field %j", async (field, name) => {
  const error = new InputError({ operation: "form", field, rule: "must be new" })
  const form = await show("A", async () => ({ status: "error", error }), name)
  await form.submit(1)
  expect([form.seen("[role=alert]"), document.activeElement?.getAttribute("name")]).toEqual([
    expect.stringMatching(/new/),
    name
  ])
})

test("a refusal of another field whose name ends alike is said aside", async () => {
  const error = new InputError({ operation: "form", field: "title", rule: "must be new" })
  const form = await show("A", async () => ({ status: "error", error }), "subtitle")
  await form.submit(1)
  expect(form.seen("form [role=alert]")).toBeUndefined()
})

/** Shows a text that is sent, and returns what it holds, how to write in it, and how to close and open it. */
const showText = async (draft: string, send: Parameters<typeof useText>[1]) => {
  const Written = () => {
    const form = useText(draft, send)
    return (
      <Form of={form}>
        <TextField label="Answer" {...form.field("text")} />
        <output>{form.busy ? "busy" : "idle"}</output>
      </Form>
    )
  }
  const place = document.body.appendChild(document.createElement("div"))
  const root = createRoot(place)
  const open = () => act(async () => root.render(<Written />))
  await open()
  onTestFinished(() => act(async () => root.unmount()))
  const input = () => {
    const [element] = place.querySelectorAll("input")
    if (element === undefined) throw new Error("no input")
    return element
  }
  return {
    open,
    close: () => act(async () => root.render(null)),
    write: (text: string) =>
      act(async () => {
        // React listens to the setter of the prototype, as a browser's typing does.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input(), text)
        input().dispatchEvent(new Event("input", { bubbles: true }))
      }),
    submit: () => act(async () => place.querySelector("form")?.requestSubmit()),
    seen: () => [input().value, place.querySelector("output")?.textContent],
    noted: () => place.textContent?.includes("unsent draft") === true
  }
}

/** A sending that ends when it is told to. */
const held = () => {
  const sent: Array<string> = []
  const ends: Array<(status: string) => void> = []
  return {
    sent,
    send: (text: string) => {
      sent.push(text)
      return new Promise<{ readonly status: string }>((resolve) => ends.push((status) => resolve({ status })))
    },
    end: (status: string) => act(async () => ends.shift()?.(status))
  }
}

test("what is written while a text is sent stays, and is sent alone after it", async () => {
  const { end, send, sent } = held()
  const text = await showText("test.later", send)
  await text.write("First")
  await text.submit()
  await text.write("First\n\nand second")
  await end("success")
  expect(text.seen()).toEqual(["and second", "idle"])
  await text.close()
  await text.open()
  expect(text.seen()).toEqual(["and second", "idle"])
  await text.submit()
  expect(sent).toEqual(["First", "and second"])
})

test("a text that is opened again while it is sent waits for its end, and is not sent twice", async () => {
  const { end, send, sent } = held()
  const text = await showText("test.twice", send)
  await text.write("Once")
  await text.submit()
  await text.close()
  await text.open()
  expect([text.seen(), text.noted()]).toEqual([["Once", "busy"], false])
  await text.submit()
  await end("success")
  expect([text.seen(), sent]).toEqual([["", "idle"], ["Once"]])
  await text.close()
  await text.open()
  expect([text.seen(), text.noted()]).toEqual([["", "idle"], false])
})

test("a text that was closed while it was sent, and failed, is there again", async () => {
  const { end, send } = held()
  const text = await showText("test.failed", send)
  await text.write("Kept")
  await text.submit()
  await text.close()
  await end("interrupted")
  await text.open()
  expect([text.seen(), text.noted()]).toEqual([["Kept", "idle"], true])
})
