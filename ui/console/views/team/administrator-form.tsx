/** The forms of an administrator: name, e-mail and roles in place, and a new one with a first password. */
import { useMutation, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import type { AdminChange, NewAdmin } from "@quartet/sdk/extend/models/users"
import { type ReactElement, useState } from "react"
import { admin } from "../../app/query-clients.js"
import type { AdminRow } from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { atEmail, madePassword } from "../../data/account.js"
import { Form, useForm } from "../../data/form.js"
import { undo } from "../../data/undo.js"
import { isSame, versioned } from "../../data/versions.js"
import { Button } from "../../design/button.js"
import { CopyButton } from "../../design/copy.js"
import { ask } from "../../design/dialog.js"
import { Field, MultiSelect, TextField } from "../../design/field.js"
import { Detail, useFrame } from "../../frame/detail.js"
import { InPlace, InPlaceButtons } from "../../frame/in-place.js"
import {
  create,
  nameOf,
  ownAccess,
  read,
  roleName,
  roleNames,
  update,
  useIsOwn,
  usePermissions,
  useRoles
} from "./data.js"
import { grantsOfRoles, mayManageRoles } from "./effective.js"

const fields = ["fullName", "email", "roles"] as const
type Name = (typeof fields)[number]
type Texts = Readonly<Record<Name, string>>

const labels: Readonly<Record<string, string>> = { fullName: "Name", email: "Email", roles: "Roles" }
const labelOf = (name: string): string => labels[name] ?? name

/** Ids as one text, as forms have it. */
const textOf = (ids: ReadonlyArray<string> | null | undefined): string => (ids ?? []).join(",")
const idsOf = (text: string): ReadonlyArray<string> => text.split(",").filter(Boolean)

const textsOf = ({ email, fullName, roles }: Partial<AdminRow>): Texts => ({
  fullName: fullName ?? "",
  email: email ?? "",
  roles: textOf(roles)
})

/** Those of the fields that differ. */
const changes = (from: Texts, to: Texts): AdminChange => ({
  ...(from.fullName !== to.fullName && { fullName: to.fullName.trim() }),
  ...(from.email !== to.email && { email: to.email.trim() }),
  ...(from.roles !== to.roles && { roles: idsOf(to.roles) })
})

type FormOf = Pick<ReturnType<typeof useForm<Name>>, "field" | "values">

const RolesField = ({ of }: { readonly of: FormOf }): ReactElement => {
  const session = useSession(admin.session)
  const { items } = useRoles()
  if (!session.can(Admin.roles.list)) return <p className="quiet">Your role does not let you view roles.</p>
  const { onChange, value, ...rest } = of.field("roles")
  const chosen = idsOf(value)
  const unknown = chosen.filter((id) => !items.some(({ _id }) => _id === id))
  const choices = [
    ...items.map((role) => ({ value: role._id, label: roleName(role) })),
    ...unknown.map((id) => ({ value: id, label: "Unknown role" }))
  ]
  return (
    <MultiSelect
      label="Roles"
      placeholder="No role"
      hint="Roles decide what they can view and change, from their next sign-in."
      choices={choices}
      value={chosen}
      onChange={(ids) => onChange(textOf(ids))}
      {...rest}
    />
  )
}

const Fields = ({ of }: { readonly of: FormOf }): ReactElement => (
  <>
    <TextField label="Email" type="email" autoComplete="off" required {...of.field("email")} />
    <TextField label="Name" autoComplete="off" {...of.field("fullName")} />
    <RolesField of={of} />
  </>
)

const formClass = "grid max-w-120 gap-4"

export const EditAdministrator = (props: {
  readonly of: AdminRow
  readonly onDone: () => void
}): ReactElement => {
  const { of, onDone } = props
  const { _id: id } = of
  const reading = useMutation(read)
  const updating = useMutation(update)
  const isOwn = useIsOwn()
  const roles = useRoles()
  const { whole } = usePermissions()
  const readAgain = () => reading.mutate({ id })
  const startOf = (row: AdminRow) => ({ ...textsOf(row), ...versioned(row) })

  /** Whether other roles of one's own would no longer let one take that back. */
  const isLastRight = (before: string, after: string): boolean => {
    const grants = (ids: string) =>
      grantsOfRoles(
        whole,
        roles.items.filter(({ _id }) => idsOf(ids).includes(_id))
      )
    return isOwn(of) && mayManageRoles(grants(before)) && !mayManageRoles(grants(after))
  }

  const form = useForm<Name, AdminRow>(
    startOf(of),
    async (texts, begun, present) => {
      const payload = changes(begun, texts)
      if (Object.keys(payload).length === 0) return { status: "success" }
      if (isLastRight(begun.roles, texts.roles) && !(await ask(ownAccess))) return undefined
      const ended = await updating.mutate({ id, payload })
      if (ended.status === "success") {
        const { data } = ended
        const before = textsOf(present ?? of)
        addToast(`${nameOf(data)} saved`, undefined, {
          label: "Undo",
          keys: "u",
          run: () =>
            void undo({
              read: readAgain,
              isSame: (now) => isSame(startOf(data), startOf(now), before),
              write: () => updating.mutate({ id, payload: changes(textsOf(data), before) })
            })
        })
      }
      return atEmail(ended, "email" in payload)
    },
    onDone,
    `admin.admins/${id}`,
    {
      read: readAgain,
      textsOf: startOf,
      labelOf,
      shownOf: (name, text) => (name === "roles" ? roleNames(idsOf(text), roles.items).join(", ") : text)
    }
  )
  const cancel = (): void => {
    form.discard()
    onDone()
  }
  return (
    <InPlace onCancel={cancel}>
      <Form of={form} doing={`Save ${nameOf(of)}`} className={formClass}>
        <Fields of={form} />
        <InPlaceButtons action="Save" busy={form.busy} onCancel={cancel} />
      </Form>
    </InPlace>
  )
}

const Password = (props: { readonly value: string; readonly onMake: () => void }): ReactElement => (
  <Field
    label="First password"
    hint="Send it to them yourself. It is not shown again, and they can change it."
  >
    {(tied) => (
      <div className="flex items-center gap-1.5">
        <input {...tied} type="text" readOnly className="font-mono" value={props.value} />
        <CopyButton text={props.value} what="the password" />
        <Button size="s" onClick={props.onMake}>
          Generate another
        </Button>
      </div>
    )}
  </Field>
)

export const NewAdministrator = (props: { readonly onCreated: (id: string) => void }): ReactElement => {
  const frame = useFrame()
  const creating = useMutation(create)
  const [password, setPassword] = useState(madePassword)
  const form = useForm(
    textsOf({}),
    async ({ email, fullName, roles }) => {
      const payload: NewAdmin = {
        email: email.trim(),
        password,
        ...(fullName.trim() !== "" && { fullName: fullName.trim() }),
        ...(roles !== "" && { roles: idsOf(roles) })
      }
      const ended = await creating.mutate({ payload })
      if (ended.status === "success") {
        addToast(`${nameOf(ended.data)} added`, "Send them the password yourself; it is not shown again.", {
          label: "Copy password",
          run: () => void navigator.clipboard.writeText(password)
        })
        props.onCreated(ended.data._id)
      }
      return atEmail(ended)
    },
    undefined,
    "admin.admins/new"
  )
  const cancel = (): void => {
    form.discard()
    frame?.close()
  }
  return (
    <Detail title="Add administrator" about="They sign in with this email address and the first password.">
      <InPlace onCancel={cancel}>
        <Form of={form} doing="Add an administrator" className={formClass}>
          <Fields of={form} />
          <Password value={password} onMake={() => setPassword(madePassword())} />
          <InPlaceButtons action="Add administrator" busy={form.busy} onCancel={cancel} />
        </Form>
      </InPlace>
    </Detail>
  )
}
