/** The customers: who they are, and the story of the selected one. */
import { useMutation, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { type ReactElement, useState } from "react"
import { useCommands } from "../../app/commands.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { UserRow } from "../../app/rows.js"
import { Status } from "../../app/status.js"
import { report } from "../../app/toasts.js"
import { customerName } from "../../customer/data.js"
import { NotifyDialog } from "../../customer/notify.js"
import { type ListState, useListState } from "../../data/list-state.js"
import { Button } from "../../design/button.js"
import { ask } from "../../design/dialog.js"
import { type Choice, Select } from "../../design/field.js"
import { number } from "../../design/format.js"
import { Avatar, When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import { ClearFilters, Filters } from "../../frame/filters.js"
import type { InboxRow } from "../../frame/inbox.js"
import type { RowCommand } from "../../frame/list-pane.js"
import { idAfter } from "../../frame/selection.js"
import { Workplace } from "../../frame/workplace.js"
import { type Filter, filters, remove, useChoices, useCustomers } from "./data.js"
import { type CustomerActions, CustomerDetail } from "./detail.js"
import { NewCustomer } from "./form.js"

/** What stands in the address in place of an id, for a new one. */
const fresh = "new"

const isActive = ({ status }: UserRow): boolean => (status || "active") === "active"

const rowOf = (of: UserRow): InboxRow => {
  const { city, createdAt, phone, type } = of
  const name = customerName(of)
  return {
    lead: (
      <span className="inbox-lead">
        <Avatar name={name} />
      </span>
    ),
    title: name,
    at: createdAt,
    line: [type && words(type), city, phone].filter(Boolean).join(" · "),
    ...(!isActive(of) && { badge: <Status of={of.status} /> })
  }
}

/** A column of texts: one that is missing leaves its cell empty. */
const textColumn = (
  title: string,
  sort: string,
  room: Pick<Column<UserRow>, "width" | "from">,
  value: (row: UserRow) => string | null | undefined
): Column<UserRow> => ({ title, sort, ...room, value, cell: value })

const columns: ReadonlyArray<Column<UserRow>> = [
  {
    title: "Name",
    sort: "fullName",
    width: "fill",
    value: customerName,
    cell: (of) => (
      <span className="flex items-center gap-2">
        <Avatar name={customerName(of)} size="s" />
        <span className="@container flex min-w-0 flex-1 gap-2">
          <span className={`truncate ${isActive(of) ? "" : "text-muted"}`}>{customerName(of)}</span>
          {!isActive(of) && (
            // Where there is little room, it is the name's.
            <span className="sr-only @min-[14rem]:not-sr-only">
              <Status of={of.status} />
            </span>
          )}
        </span>
      </span>
    )
  },
  textColumn("Type", "type", { width: "xs" }, ({ type }) => words(type ?? "")),
  textColumn("City", "city", { width: "xs", from: "xl" }, ({ city }) => city),
  textColumn("Phone", "phone", { width: "m", from: "m" }, ({ phone }) => phone),
  textColumn("Email", "email", { width: "l", from: "xxl" }, ({ email }) => email),
  // Beside the name, where it is not what most have.
  { title: "Status", sort: "status", from: "file", value: ({ status }) => words(status ?? "") },
  {
    title: "Since",
    sort: "createdAt",
    width: "s",
    isEnd: true,
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => createdAt && <When date={createdAt} />
  }
]

const labels: Readonly<Record<Filter, string>> = {
  type: "All types",
  status: "All statuses",
  interests: "All interests"
}

const ListFilters = ({ state }: { readonly state: ListState }): ReactElement => {
  const { interests, statuses, types } = useChoices()
  const choices: Readonly<Record<Filter, ReadonlyArray<Choice<string>>>> = {
    type: types,
    status: statuses,
    interests: interests.map((value) => ({ value, label: value }))
  }
  return (
    <Filters
      set={filters.flatMap((name) => {
        const chosen = choices[name].find(({ value }) => value === state.read(name))
        return chosen === undefined ? [] : [{ label: chosen.label, clear: () => state.set({ [name]: "" }) }]
      })}
    >
      {filters.map((name) => (
        <Select
          key={name}
          label={words(name)}
          value={state.read(name) ?? ""}
          choices={[{ value: "", label: labels[name] }, ...choices[name]]}
          onChange={(value) => state.set({ [name]: value })}
        />
      ))}
    </Filters>
  )
}

const Nothing = (props: {
  readonly state: ListState
  readonly create: (() => void) | undefined
}): ReactElement => {
  const { create, state } = props
  const isFiltered = filters.some((name) => state.read(name) !== undefined)
  if (isFiltered)
    return (
      <Empty icon="search" title="No customers match the filters">
        <ClearFilters onClear={() => state.set({ type: "", status: "", interests: "" })} />
      </Empty>
    )
  return (
    <Empty icon="user" title="No customers yet">
      They sign up in the app{create ? ", or you add them." : "."}
      {create && (
        <div>
          <Button kind="primary" icon="plus" onClick={create}>
            New customer
          </Button>
        </div>
      )}
    </Empty>
  )
}

/** The width of the list: wider where there is room for both. */
const width = window.matchMedia("(min-width: 1400px)").matches ? 560 : 380

const Customers = (): ReactElement => {
  const id = Router.useRoute(["Customer"])?.params.id
  const state = useListState()
  const session = useSession(admin.session)
  const removing = useMutation(remove)
  const [receivers, setReceivers] = useState<ReadonlyArray<UserRow>>()
  const [edited, setEdited] = useState<string>()
  const of = useCustomers(state)
  const to = (id?: string): string =>
    state.keep(id === undefined ? Router.Customers() : Router.Customer({ id }))

  const openNew = session.can(Admin.users.create) ? () => state.open(to(fresh)) : undefined
  const erase = async (row: UserRow): Promise<void> => {
    const name = customerName(row)
    const isAgreed = await ask({
      title: `Delete ${name}?`,
      description:
        "They will no longer be able to sign in. Their orders and payments are kept. This cannot be undone.",
      action: `Delete ${name}`,
      danger: true
    })
    if (!isAgreed) return
    const doing = { what: `Delete ${name}`, to: to(row._id) }
    if (!report(await removing.mutate({ id: row._id }), `${name} deleted`, doing)) return
    state.leave(to(row._id), to(idAfter(of.items, row._id, [row])))
  }
  const actions: CustomerActions = {
    notify: session.can(Admin.notifications.send) ? (row) => setReceivers([row]) : undefined,
    edit: session.can(Admin.users.update) ? ({ _id }) => setEdited(_id) : undefined,
    remove: session.can(Admin.users.delete) ? (row) => void erase(row) : undefined
  }
  const { edit, remove: removeOne } = actions
  const commands: ReadonlyArray<RowCommand<UserRow>> = [
    ...(actions.notify
      ? [{ label: "Notify", icon: "send" as const, keys: "m", isBulk: true, run: setReceivers }]
      : []),
    ...(edit
      ? [
          {
            label: "Edit",
            icon: "edit" as const,
            keys: "e",
            run: ([row]: ReadonlyArray<UserRow>) => row && edit(row)
          }
        ]
      : []),
    ...(removeOne
      ? [
          {
            label: "Delete",
            icon: "trash" as const,
            keys: "Delete",
            run: ([row]: ReadonlyArray<UserRow>) => row && removeOne(row)
          }
        ]
      : [])
  ]
  useCommands(openNew ? [{ label: "New customer", icon: "plus", keys: "a", run: openNew }] : [])
  const total = of.data?.paging.total
  return (
    <>
      <Workplace
        label="Customers"
        of={of}
        state={state}
        id={id}
        to={to}
        nameOf={customerName}
        row={rowOf}
        hasTable
        columns={columns}
        about={total !== undefined && number(total)}
        tools={
          openNew && (
            <Button size="s" icon="plus" onClick={openNew}>
              New customer
            </Button>
          )
        }
        search="Find customers"
        besideSearch={<ListFilters state={state} />}
        commands={commands}
        width={width}
        isOther={(id) => id === fresh}
        nothing={of.items.length === 0 ? false : undefined}
        empty={<Nothing state={state} create={openNew} />}
      >
        {(row, id) =>
          id === fresh && openNew ? (
            <NewCustomer key={id} onCreated={(id) => state.turn(to(id))} />
          ) : (
            <CustomerDetail
              key={id}
              id={id}
              row={row}
              actions={actions}
              isEdited={edited === id}
              onEdited={() => setEdited(undefined)}
            />
          )
        }
      </Workplace>
      {receivers && <NotifyDialog to={receivers} onClose={() => setReceivers(undefined)} />}
    </>
  )
}

export default Customers
