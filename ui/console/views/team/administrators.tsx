/** The administrators: who they are at the left, what the selected one may do at the right. */
import { useMutation, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { type ReactElement, useState } from "react"
import { useCommands } from "../../app/commands.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { AdminRow, RoleRow } from "../../app/rows.js"
import { report } from "../../app/toasts.js"
import { useListState } from "../../data/list-state.js"
import { Button } from "../../design/button.js"
import { ask } from "../../design/dialog.js"
import { SearchField } from "../../design/field.js"
import { number } from "../../design/format.js"
import { Avatar } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import type { InboxRow } from "../../frame/inbox.js"
import type { RowCommand } from "../../frame/list-pane.js"
import { useSearched } from "../../frame/narrowed.js"
import { idAfter } from "../../frame/selection.js"
import { Workplace } from "../../frame/workplace.js"
import { AdministratorDetail } from "./administrator.js"
import { NewAdministrator } from "./administrator-form.js"
import { list, nameOf, remove, roleNames, useIsOwn, useRoles } from "./data.js"
import { TeamTabs } from "./page.js"

/** What stands in the address in place of an id, for a new one. */
const fresh = "new"

const rowOf =
  (roles: ReadonlyArray<RoleRow>, isOwn: (of: AdminRow) => boolean) =>
  (of: AdminRow): InboxRow => ({
    lead: (
      <span className="inbox-lead">
        <Avatar name={nameOf(of)} size="l" />
      </span>
    ),
    title: nameOf(of),
    end: isOwn(of) ? <span className="faint">You</span> : "",
    line: [roleNames(of.roles, roles).join(", ") || "No role", of.fullName && of.email]
      .filter(Boolean)
      .join(" · ")
  })

const columnsFor = (roles: ReadonlyArray<RoleRow>): ReadonlyArray<Column<AdminRow>> => [
  { title: "Name", sort: "fullName", value: nameOf },
  { title: "Email", sort: "email", value: ({ email }) => email },
  { title: "Roles", value: (of) => roleNames(of.roles, roles).join(", ") },
  { title: "Since", sort: "createdAt", value: ({ createdAt }) => createdAt }
]

export const Administrators = (): ReactElement => {
  const id = Router.useRoute(["Administrator"])?.params.id
  const state = useListState()
  const session = useSession(admin.session)
  const isOwn = useIsOwn()
  const removing = useMutation(remove)
  const [edited, setEdited] = useState<string>()
  const [created, setCreated] = useState<string>()
  const of = useSearched(list, state)
  const { items: roles } = useRoles()
  const to = (id?: string): string =>
    state.keep(id === undefined ? Router.Team() : Router.Administrator({ id }))
  const openNew = session.can(Admin.admins.create) ? () => state.open(to(fresh)) : undefined
  const take = async (row: AdminRow): Promise<void> => {
    const name = nameOf(row)
    const isAgreed = await ask({
      title: `Remove ${name}?`,
      description: "They will no longer be able to sign in. What they did is kept. This cannot be undone.",
      action: `Remove ${name}`,
      danger: true
    })
    if (!isAgreed) return
    const doing = { what: `Remove ${name}`, to: to(row._id) }
    if (!report(await removing.mutate({ id: row._id }), `${name} removed`, doing)) return
    state.leave(to(row._id), to(idAfter(of.items, row._id, [row])))
  }
  const edit = session.can(Admin.admins.update) ? ({ _id }: AdminRow) => setEdited(_id) : undefined
  const removeOne = session.can(Admin.admins.delete) ? (row: AdminRow) => void take(row) : undefined
  const onOne =
    (run: (row: AdminRow) => void) =>
    ([row]: ReadonlyArray<AdminRow>): void =>
      void (row && run(row))
  const commands: ReadonlyArray<RowCommand<AdminRow>> = [
    ...(edit ? [{ label: "Edit", icon: "edit" as const, keys: "e", run: onOne(edit) }] : []),
    ...(removeOne
      ? [
          {
            label: "Remove",
            icon: "trash" as const,
            keys: "Delete",
            isFor: ([row]: ReadonlyArray<AdminRow>) => row !== undefined && !isOwn(row),
            run: onOne(removeOne)
          }
        ]
      : [])
  ]
  useCommands(openNew ? [{ label: "Add administrator", icon: "plus", keys: "a", run: openNew }] : [])
  const total = of.data?.paging.total
  const add = openNew && (
    <Button size="s" icon="plus" onClick={openNew}>
      Add administrator
    </Button>
  )
  return (
    <Workplace
      label="Team"
      of={of}
      state={state}
      id={id}
      to={to}
      nameOf={nameOf}
      row={rowOf(roles, isOwn)}
      columns={columnsFor(roles)}
      about={total !== undefined && number(total)}
      tools={add}
      besideSearch={<TeamTabs part="Administrators" />}
      filters={
        <SearchField
          label="Find administrators"
          value={state.read("search") ?? ""}
          onChange={(search) => state.set({ search })}
        />
      }
      commands={commands}
      isOther={(id) => id === fresh}
      empty={
        <Empty icon="people" title="No administrators">
          {add}
        </Empty>
      }
    >
      {(row, id) =>
        id === fresh && openNew ? (
          <NewAdministrator
            key={id}
            onCreated={(id) => {
              setCreated(id)
              state.turn(to(id))
            }}
          />
        ) : (
          <AdministratorDetail
            key={id}
            id={id}
            row={row}
            isNew={created === id}
            isAlone={of.items.length === 1 && !of.hasNextPage}
            edit={edit}
            remove={removeOne}
            isEdited={edited === id}
            onEdited={() => setEdited(undefined)}
            add={openNew}
          />
        )
      }
    </Workplace>
  )
}
