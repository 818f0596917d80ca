/** The forms of a customer: their fields in place, and a new one. */
import { useMutation } from "@quartet/react"
import type { NewUser, UserChange } from "@quartet/sdk/extend/models/auth"
import { type ReactElement, type ReactNode, useState } from "react"
import type { UserRow } from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { customerName } from "../../customer/data.js"
import { atEmail, madePassword } from "../../data/account.js"
import { type FieldState, Form, useForm } from "../../data/form.js"
import { undo } from "../../data/undo.js"
import { isSame } from "../../data/versions.js"
import { Button } from "../../design/button.js"
import { type Choice, Select, TextArea, TextField } from "../../design/field.js"
import { words } from "../../design/show.js"
import { Detail, useFrame } from "../../frame/detail.js"
import { InPlace, InPlaceButtons } from "../../frame/in-place.js"
import { create, read, update, useChoices } from "./data.js"
import { Interests, interestsIn } from "./interests.js"

const fields = ["fullName", "email", "phone", "city", "type", "status", "interests", "about"] as const
type Field = (typeof fields)[number]
type Texts = Readonly<Record<Field, string>>

const labels: Readonly<Record<string, string>> = { fullName: "Name", email: "Email" }
const labelOf = (name: string): string => labels[name] ?? words(name)

const textsOf = (of: Partial<UserRow>): Texts =>
  // Each field of the form has a text.
  Object.fromEntries(fields.map((name) => [name, [of[name] ?? []].flat().join("\n")])) as Record<
    Field,
    string
  >

const sentOf = (name: Field, text: string): string | ReadonlyArray<string> | null => {
  if (name === "interests") return interestsIn(text)
  const value = text.trim()
  return value === "" && name !== "fullName" && name !== "email" ? null : value
}

/** What has become of the fields of a customer: those that differ. */
const changes = (from: Texts, to: Texts): UserChange =>
  Object.fromEntries(
    fields.flatMap((name) => (from[name] === to[name] ? [] : [[name, sentOf(name, to[name])]]))
  )

/** Where the present value is none of those that are known, it is one of the choices. */
const withPresent = (choices: ReadonlyArray<Choice<string>>, value: string): ReadonlyArray<Choice<string>> =>
  value === "" || choices.some((choice) => choice.value === value)
    ? choices
    : [...choices, { value, label: words(value) }]

interface FormOf {
  readonly values: Texts
  readonly field: (name: Field) => FieldState<string>
}

const Fields = (props: { readonly of: FormOf; readonly children?: ReactNode }): ReactElement => {
  const { children, of } = props
  const { interests, statuses, types } = useChoices()
  return (
    <>
      <div className="field-pairs">
        <TextField label="Name" autoComplete="off" required {...of.field("fullName")} />
        <TextField label="Email" type="email" autoComplete="off" required {...of.field("email")} />
        <TextField label="Phone" autoComplete="off" {...of.field("phone")} />
        <TextField label="City" autoComplete="off" {...of.field("city")} />
        <Select label="Type" choices={withPresent(types, of.values.type)} {...of.field("type")} />
        <Select label="Status" choices={withPresent(statuses, of.values.status)} {...of.field("status")} />
      </div>
      {children}
      <Interests known={interests} {...of.field("interests")} />
      <TextArea label="About" rows={4} {...of.field("about")} />
    </>
  )
}

/**
 * The fields of a customer, in place. What others changed counts by its fields: customers have no version, when one was changed last says
 * nothing of these, and only what was changed here is sent.
 */
export const EditCustomer = (props: { readonly of: UserRow; readonly onDone: () => void }): ReactElement => {
  const { of, onDone } = props
  const { _id: id } = of
  const updating = useMutation(update)
  const reading = useMutation(read)
  const readAgain = () => reading.mutate({ id })
  const form = useForm<Field, UserRow>(
    textsOf(of),
    async (texts, begun, present) => {
      const payload = changes(begun, texts)
      if (Object.keys(payload).length === 0) return { status: "success" }
      const before = present ?? of
      const ended = await updating.mutate({ id, payload })
      if (ended.status === "success") {
        const after = ended.data
        addToast(`${customerName(after)} saved`, undefined, {
          label: "Undo",
          keys: "u",
          run: () =>
            void undo({
              read: readAgain,
              isSame: (present) => isSame(textsOf(after), textsOf(present), textsOf(before)),
              write: () => updating.mutate({ id, payload: changes(textsOf(after), textsOf(before)) })
            })
        })
      }
      return atEmail(ended, "email" in payload)
    },
    onDone,
    `admin.users/${id}`,
    {
      read: readAgain,
      textsOf,
      labelOf,
      shownOf: (name, text) => (name === "type" || name === "status" ? words(text) : text)
    }
  )
  return (
    <InPlace onCancel={onDone}>
      <Form of={form} doing={`Save ${customerName(of)}`} className="grid max-w-160 gap-4">
        <Fields of={form} />
        <InPlaceButtons
          action="Save"
          busy={form.busy}
          onCancel={() => {
            form.discard()
            onDone()
          }}
        />
      </Form>
    </InPlace>
  )
}

const initial = { ...textsOf({ type: "resident", status: "active" }), password: "" }

export const NewCustomer = (props: { readonly onCreated: (id: string) => void }): ReactElement => {
  const frame = useFrame()
  const creating = useMutation(create)
  const [isCopied, setCopied] = useState(false)
  const form = useForm(
    initial,
    async ({ password, ...texts }) => {
      const filled = fields.flatMap((name) => {
        const value = sentOf(name, texts[name])
        return value === null || value.length === 0 ? [] : [[name, value]]
      })
      // The fields of the form are those of the call.
      const payload = { ...Object.fromEntries(filled), ...(password !== "" && { password }) } as NewUser
      const ended = await creating.mutate({ payload })
      if (ended.status === "success") {
        addToast(`${customerName(ended.data)} added`)
        props.onCreated(ended.data._id)
      }
      return atEmail(ended)
    },
    undefined,
    "admin.users/new"
  )
  const cancel = (): void => frame?.close()
  const make = async (): Promise<void> => {
    const password = madePassword()
    form.set({ password })
    await navigator.clipboard.writeText(password)
    setCopied(true)
  }
  return (
    <Detail title="New customer">
      <InPlace onCancel={cancel}>
        <Form of={form} doing="Add a customer" className="grid max-w-160 gap-4">
          <Fields of={form}>
            <div className="flex items-start gap-2">
              <div className="min-w-0 flex-1">
                <TextField
                  label="First password"
                  type="password"
                  autoComplete="new-password"
                  hint={
                    isCopied
                      ? "Copied, but not shown. Send it to them yourself."
                      : "Without one they cannot sign in yet."
                  }
                  {...form.field("password")}
                />
              </div>
              <Button className="mt-6" icon="copy" onClick={() => void make()}>
                Generate and copy
              </Button>
            </div>
          </Fields>
          <InPlaceButtons
            action="Add customer"
            busy={form.busy}
            onCancel={() => {
              form.discard()
              cancel()
            }}
          />
        </Form>
      </InPlace>
    </Detail>
  )
}
