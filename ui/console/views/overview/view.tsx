/** The overview: the state of the project, and its administrator's open work. */
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import type { Page } from "../../../../core/kernel/operation/answer.js"
import type { Amount } from "../../../../core/onboarding/model.js"
import { useInfiniteQuery, useQuery, useSession } from "../../../rx/index.js"
import { projectId } from "../../app/config.js"
import { everyone } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { type Asked, Loaded } from "../../data/loaded.js"
import { money, PageHead } from "../../design/show.js"
import { Skeleton } from "../../design/state.js"
import { Billing } from "./billing.js"
import { onboarding, ToDo } from "./onboarding.js"
import { People, RequestsByStatus } from "./trends.js"

const project = admin.query(Admin.projects.get, { id: projectId })
const facts = Router.Data({ slice: "projects", id: projectId })
const team = admin.query(Admin.admins.list, { limit: 1 })
const content = admin.query(Admin.content.paginated, { limit: 1 })

const figure = <Skeleton width="4rem" height="2rem" />

/** How many there are; a dash where the role may not know. */
const total = ({ data, error }: Asked<Page<unknown>>): ReactNode =>
  data?.paging.total ?? (error === undefined ? figure : "—")

const Stats = ({ bill }: { readonly bill: Amount | undefined }): ReactElement => {
  const tiles = [
    ["People in the team", total(useQuery(team))],
    ["Content entries", total(useQuery(content))],
    ["End users", total(useInfiniteQuery(everyone))],
    ["This month’s bill", bill ? money(bill.amount, bill.currency) : figure]
  ] as const
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-4">
      {tiles.map(([name, value]) => (
        <div key={name} className="rounded-lg border border-line bg-surface px-4 py-3.5 shadow-sm">
          <dt className="quiet">{name}</dt>
          <dd className="font-bold text-2xl tabular-nums tracking-[-0.025em]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Overview = (): ReactElement => {
  const session = useSession(admin.session)
  const state = useQuery(onboarding)
  const identity =
    session.status === "signed-in" && session.identity.audience === "admin"
      ? session.identity.admin
      : undefined
  const first = identity?.fullName?.split(" ")[0]
  return (
    <>
      <PageHead
        title={first === undefined ? "Welcome" : `Welcome, ${first}`}
        about={
          <>
            This is what happens in <Link to={facts}>{useQuery(project).data?.name ?? "your project"}</Link>.
          </>
        }
      />
      <div className="stack">
        <Stats bill={state.data?.stats.currentBillAmount} />
        <div className="grid gap-4 md:grid-cols-2">
          <People />
          <RequestsByStatus />
        </div>
        <Loaded of={state} skeleton={<Skeleton height="30rem" />}>
          {({ billing, documents, stats, tasks }) => (
            <div className="grid items-start gap-4 md:grid-cols-2">
              <ToDo tasks={tasks} documents={documents} by={identity?.email ?? identity?._id ?? "unknown"} />
              <Billing items={billing} currency={stats.currentBillAmount.currency} />
            </div>
          )}
        </Loaded>
      </div>
    </>
  )
}

export default Overview
