/** People: end users, what each role may do, and the administrators. */
import type { ReactElement } from "react"
import { useInfiniteQuery, useQuery } from "../../../rx/index.js"
import { Router } from "../../app/routes.js"
import type { AdminRow, RoleRow, UserRow } from "../../app/rows.js"
import layout from "../../design/layout.module.css"
import { useListState } from "../../design/list-state.js"
import { Avatar, Badge, PageHead, Status, Tabs, words } from "../../design/show.js"
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

const nameColumn: Column<Pick<UserRow, "_id" | "email" | "fullName">> = {
  title: "Name",
  sort: "fullName",
  value: ({ fullName }) => fullName,
  cell: ({ email, fullName }) => <Person name={fullName ?? "Unnamed"} email={email} />
}

const userColumns: ReadonlyArray<Column<UserRow>> = [
  nameColumn,
  {
    title: "Status",
    sort: "status",
    value: ({ status }) => status,
    cell: ({ status }) => <Status of={status} tones={{ active: "good" }} />
  },
  { title: "Type", sort: "type", quiet: true, value: ({ type }) => words(type ?? "") },
  { title: "City", sort: "city", quiet: true, value: ({ city }) => city },
  { title: "Signed up", sort: "createdAt", quiet: true, end: true, value: ({ createdAt }) => createdAt }
]

const adminColumns = (all: ReadonlyArray<RoleRow>): ReadonlyArray<Column<AdminRow>> => {
  const rolesOf = ({ roles: ids }: AdminRow) => all.filter(({ _id }) => ids?.includes(_id))
  return [
    nameColumn,
    {
      title: "Roles",
      value: (person) =>
        rolesOf(person)
          .map(({ name }) => name)
          .join(", "),
      cell: (person) => rolesOf(person).map(({ _id, name }) => <Badge key={_id}>{name}</Badge>)
    },
    { title: "Since", sort: "createdAt", quiet: true, end: true, value: ({ createdAt }) => createdAt }
  ]
}

const Users = (): ReactElement => {
  const state = useListState()
  return (
    <List
      label="Users"
      search="Find users"
      dated
      of={useInfiniteQuery(users(state.query))}
      state={state}
      columns={userColumns}
      rows={12}
      empty={
        <Empty icon="people" title="Nobody found">
          Look for a part of a name, an e-mail address or a city.
        </Empty>
      }
    />
  )
}

const Admins = (): ReactElement => {
  const all = useQuery(roles)
  const state = useListState()
  return (
    <List
      label="Administrators"
      of={useInfiniteQuery(admins(state.query))}
      state={state}
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
