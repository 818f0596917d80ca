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
import { Icon } from "../../design/icon.js"
import { MenuButton } from "../../design/menu.js"
import { Part, PartLink } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { createRole, nameOf, readRole, removeRole, roleName, updateRole } from "./data.js"

const people = (count: number): string => (count === 1 ? "1 person" : `${count} people`)

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

/** What one may do with a role as a whole, and the dialogs of it. */
const useRoleActions = (of: RoleRow, holders: ReadonlyArray<AdminRow> | undefined) => {
  const session = useSession(admin.session)
  const removing = useMutation(removeRole)
  const [opened, setOpened] = useState<"rename" | "held">()
  const name = roleName(of)
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
    else report(ended, `${name} deleted`)
  }
  const close = (): void => setOpened(undefined)
  return {
    rename: session.can(Admin.roles.update) ? () => setOpened("rename") : undefined,
    remove: session.can(Admin.roles.delete) ? () => void remove() : undefined,
    dialogs: (
      <>
        {opened === "rename" && <Rename of={of} onClose={close} />}
        {opened === "held" && <StillHeld of={of} holders={holders ?? []} onClose={close} />}
      </>
    )
  }
}

/** Beside the table: who has a role, and what can be done with it. */
export const AboutRole = (props: {
  readonly of: RoleRow
  readonly holders: ReadonlyArray<AdminRow> | undefined
}): ReactElement => {
  const { holders, of } = props
  const { dialogs, remove, rename } = useRoleActions(of, holders)
  return (
    <>
      <h2 className="wrap-anywhere">{roleName(of)}</h2>
      <Part title="Who has this role">
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
      </Part>
      {(rename || remove) && (
        <div className="row mt-5">
          {rename && (
            <Button size="s" onClick={rename}>
              Rename
            </Button>
          )}
          {remove && (
            <Button size="s" kind="danger" onClick={remove}>
              Delete
            </Button>
          )}
        </div>
      )}
      <More of={of} known={["_id", "name", "permissions", "createdAt", "updatedAt"]} />
      {dialogs}
    </>
  )
}

export const RoleMenu = (props: {
  readonly of: RoleRow
  /** Who has it; undefined where that is not known. */
  readonly holders: ReadonlyArray<AdminRow> | undefined
  /** Whether the button shows no more than that there is a menu; else the role's name and how many people have it. */
  readonly isIcon?: boolean
  readonly onOpen?: () => void
}): ReactElement => {
  const { holders, isIcon = false, of } = props
  const { dialogs, remove, rename } = useRoleActions(of, holders)
  const name = roleName(of)
  const actions = [
    ...(rename ? [{ label: "Rename…", icon: "edit" as const, onAction: rename }] : []),
    ...(remove ? [{ label: "Delete…", icon: "trash" as const, isDanger: true, onAction: remove }] : [])
  ]
  return (
    <>
      <MenuButton
        isIcon={isIcon}
        kind="ghost"
        className={isIcon ? "" : "role-head"}
        label={`Role ${name}`}
        aria-label={`Role ${name}${holders ? `, ${people(holders.length)}` : ""}`}
        onOpenChange={(isOpen) => isOpen && props.onOpen?.()}
        shown={
          <>
            <span className="line-clamp-2 font-semibold whitespace-normal text-ink">{name}</span>
            <span className="flex items-center gap-1 text-xs font-normal">
              {holders && (holders.length === 0 ? "Nobody" : people(holders.length))}
              <Icon name="down" className="size-3!" />
            </span>
          </>
        }
        items={[
          ...(holders === undefined
            ? []
            : [
                {
                  label: holders.length === 0 ? "Nobody has this role." : "Who has it",
                  items: holders.map((of) => ({
                    label: nameOf(of),
                    icon: "user" as const,
                    to: Router.Administrator({ id: of._id })
                  }))
                }
              ]),
          ...(actions.length > 0 ? [{ label: "The role", items: actions }] : [])
        ]}
      />
      {dialogs}
    </>
  )
}
