/** What can be done with a role as a whole: see who has it, rename it, delete it; and a new one. */
import { useMutation, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import { type ReactElement, useState } from "react"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { AdminRow, RoleRow } from "../../app/rows.js"
import { addToast, report } from "../../app/toasts.js"
import { Form, useForm } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { Actions, ask, Dialog } from "../../design/dialog.js"
import { Select, TextField } from "../../design/field.js"
import { MenuButton } from "../../design/menu.js"
import { Popover } from "../../design/popover.js"
import { PartLink } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { createRole, heldBy, nameOf, people, readRole, removeRole, roleName, updateRole } from "./data.js"

const NameForm = (props: {
  readonly of: { readonly field: ReturnType<typeof useForm<"name" | "from">>["field"] }
}): ReactElement => <TextField label="Name" autoComplete="off" required {...props.of.field("name")} />

export const NewRole = (props: {
  readonly roles: ReadonlyArray<RoleRow>
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}): ReactElement => {
  const { onClose, onCreated, roles } = props
  const creating = useMutation(createRole)
  const form = useForm(
    { name: "", from: "" },
    async ({ from, name }) => {
      const permissions = roles.find(({ _id }) => _id === from)?.permissions
      const payload = { name: name.trim(), ...(permissions && { permissions }) }
      const ended = await creating.mutate({ payload })
      if (ended.status === "success") {
        addToast(`${roleName(ended.data)} added`, "Nobody has this role yet.")
        onCreated(ended.data._id)
      }
      return ended
    },
    onClose,
    "admin.roles/new"
  )
  const { onChange, ...from } = form.field("from")
  return (
    <Dialog open onClose={onClose} title="New role">
      <Form of={form} className="grid gap-4">
        <NameForm of={form} />
        <Select
          label="Start from"
          choices={[
            { value: "", label: "Nothing allowed" },
            ...roles.map((role) => ({ value: role._id, label: `What ${roleName(role)} can do` }))
          ]}
          onChange={onChange}
          {...from}
        />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            Add role
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

const Rename = ({ of, onClose }: { readonly of: RoleRow; readonly onClose: () => void }): ReactElement => {
  const { _id: id } = of
  const reading = useMutation(readRole)
  const updating = useMutation(updateRole)
  const textsOf = (role: RoleRow) => ({ name: role.name ?? "", from: "" })
  const form = useForm<"name" | "from", RoleRow>(
    textsOf(of),
    async ({ name }) => {
      const ended = await updating.mutate({ id, payload: { name: name.trim() } })
      report(ended.status === "success" ? ended : { status: "" }, `${name.trim()} saved`)
      return ended
    },
    onClose,
    undefined,
    { read: () => reading.mutate({ id }), textsOf, labelOf: () => "Name" }
  )
  return (
    <Dialog open onClose={onClose} title={`Rename ${roleName(of)}`}>
      <Form of={form} className="grid gap-4">
        <NameForm of={form} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            Rename
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

/** A role that people have is not deleted: first they get another one. */
const StillHeld = (props: {
  readonly of: RoleRow
  readonly holders: ReadonlyArray<AdminRow>
  readonly onClose: () => void
}): ReactElement => (
  <Dialog
    open
    onClose={props.onClose}
    title={
      props.holders.length === 0
        ? "Someone still has this role"
        : `${people(props.holders.length)} ${props.holders.length === 1 ? "has" : "have"} this role`
    }
    description={`Remove ${roleName(props.of)} from them first, then delete it.`}
  >
    <ul className="grid gap-1">
      {props.holders.map((of) => (
        <li key={of._id} className="part-line">
          <Link to={Router.Administrator({ id: of._id })} className="min-w-0 flex-1 truncate text-ink">
            {nameOf(of)}
          </Link>
        </li>
      ))}
    </ul>
    <Actions>
      <Button data-autofocus="" onClick={props.onClose}>
        Close
      </Button>
    </Actions>
  </Dialog>
)

/** Above the table: who has a role, and what can be done with it. */
export const AboutRole = (props: {
  readonly of: RoleRow
  readonly holders: ReadonlyArray<AdminRow> | undefined
}): ReactElement => {
  const { holders, of } = props
  const session = useSession(admin.session)
  const removing = useMutation(removeRole)
  const [opened, setOpened] = useState<"rename" | "held">()
  const name = roleName(of)
  const close = (): void => setOpened(undefined)
  const remove = async (): Promise<void> => {
    if (holders !== undefined && holders.length > 0) return setOpened("held")
    const isAgreed = await ask({
      title: `Delete ${name}?`,
      description: `${holders === undefined ? "Everyone who has it loses what it allows." : "Nobody has this role."} This cannot be undone.`,
      action: `Delete ${name}`,
      danger: true
    })
    if (!isAgreed) return
    const ended = await removing.mutate({ id: of._id })
    if (ended.status === "error" && ended.error._tag === "Conflict") setOpened("held")
    else report(ended, `${name} deleted`, { what: `Delete ${name}`, to: Router.Roles({ role: of._id }) })
  }
  const items = [
    ...(session.can(Admin.roles.update)
      ? [{ label: "Rename", icon: "edit" as const, onAction: () => setOpened("rename") }]
      : []),
    ...(session.can(Admin.roles.delete)
      ? [{ label: "Delete…", icon: "trash" as const, isDanger: true, onAction: () => void remove() }]
      : [])
  ]
  return (
    <section className="flex min-w-0 items-center gap-2" aria-label={`Role ${name}`}>
      <h2 className="truncate text-sm max-md:hidden">{name}</h2>
      <Popover
        label={`Who has the role ${name}`}
        shown={heldBy(holders) ?? "Who has it"}
        button={{ size: "s" }}
        className="w-72 p-4"
      >
        {holders === undefined ? (
          <p className="quiet">Who has it is not known.</p>
        ) : holders.length === 0 ? (
          <p className="quiet">Nobody has this role.</p>
        ) : (
          <ul>
            {holders.map((holder) => (
              <PartLink key={holder._id} to={Router.Administrator({ id: holder._id })}>
                {nameOf(holder)}
              </PartLink>
            ))}
          </ul>
        )}
        <More of={of} known={["_id", "name", "permissions", "createdAt", "updatedAt"]} />
      </Popover>
      {items.length > 0 && <MenuButton isIcon size="s" label="More actions" items={items} />}
      {opened === "rename" && <Rename of={of} onClose={close} />}
      {opened === "held" && <StillHeld of={of} holders={holders ?? []} onClose={close} />}
    </section>
  )
}
