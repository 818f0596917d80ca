/** People: end users, what each role may do, and the administrators. */
import { type ReactElement, useState } from "react"
import { useInfiniteQuery, useQuery } from "../../../rx/index.js"
import { Router } from "../../app/routes.js"
import type { AdminRow, RoleRow, UserRow } from "../../app/rows.js"
import { SearchField } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { Avatar, Badge, PageHead, Status, Tabs, When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import typography from "../../design/typography.module.css"
import { admins, roles, users } from "./data.js"
import { Matrix } from "./matrix.js"
import styles from "./people.module.css"

const Person = (props: {
  readonly name: string
  readonly email: string | null | undefined
}): ReactElement => (
  <span className={`${layout.row} ${styles.person}`}>
    <Avatar name={props.name} />
    <span>
      <strong>{props.name}</strong>
      <span className={`${typography.faint} ${styles.email}`}>{props.email}</span>
    </span>
  </span>
)

const userColumns: ReadonlyArray<Column<UserRow>> = [
  { title: "Name", cell: ({ email, fullName }) => <Person name={fullName ?? "Unnamed"} email={email} /> },
  {
    title: "Status",
    cell: ({ status }) => <Status of={status} tones={{ active: "good" }} />
  },
  { title: "Type", quiet: true, cell: ({ type }) => words(type ?? "") },
  { title: "City", quiet: true, cell: ({ city }) => city ?? "—" },
  { title: "Signed up", quiet: true, end: true, cell: ({ createdAt }) => <When date={createdAt} /> }
]

const adminColumns = (all: ReadonlyArray<RoleRow>): ReadonlyArray<Column<AdminRow>> => [
  { title: "Name", cell: ({ email, fullName }) => <Person name={fullName ?? "Unnamed"} email={email} /> },
  {
    title: "Roles",
    cell: ({ roles: roleIds }) =>
      all.filter(({ _id }) => roleIds?.includes(_id)).map(({ _id, name }) => <Badge key={_id}>{name}</Badge>)
  },
  { title: "Since", quiet: true, end: true, cell: ({ createdAt }) => <When date={createdAt} /> }
]

const Users = (): ReactElement => {
  const [search, setSearch] = useState("")
  return (
    <>
      <div className={layout.toolbar}>
        <SearchField label="Find users" value={search} onChange={setSearch} />
      </div>
      <List
        label="Users"
        of={useInfiniteQuery(users(search))}
        columns={userColumns}
        rows={12}
        empty={
          <Empty icon="people" title="Nobody found">
            Look for a part of a name, an e-mail address or a city.
          </Empty>
        }
      />
    </>
  )
}

const Admins = (): ReactElement => {
  const all = useQuery(roles)
  return (
    <List
      label="Administrators"
      of={useInfiniteQuery(admins)}
      columns={adminColumns(all.data?.items ?? [])}
      rows={5}
      empty={<Empty icon="people" title="No administrators" />}
    />
  )
}

const tabs = [
  { to: Router.People({ tab: "users" }), label: "Users" },
  { to: Router.People({ tab: "roles" }), label: "Roles and permissions" },
  { to: Router.People({ tab: "admins" }), label: "Administrators" }
]

const People = (): ReactElement => {
  const tab = Router.useRoute(["People"])?.params.tab ?? "users"
  return (
    <>
      <PageHead title="People" about="Those who use your product, and those who run it." />
      <Tabs label="People" current={Router.People({ tab })} tabs={tabs} />
      {tab === "users" && <Users />}
      {tab === "roles" && <Matrix />}
      {tab === "admins" && <Admins />}
    </>
  )
}

export default People
