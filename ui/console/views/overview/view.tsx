/** The overview: the state of the project, and its administrator's open work. */
import type { ReactElement, ReactNode } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import type { Page } from "../../../../core/kernel/operation/answer.js"
import type { Amount } from "../../../../core/onboarding/model.js"
import { useQuery, useSession } from "../../../rx/index.js"
import { projectId } from "../../app/config.js"
import { everyone } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import layout from "../../design/layout.module.css"
import { Badge, money, PageHead } from "../../design/show.js"
import show from "../../design/show.module.css"
import { type Asked, Loaded, Skeleton } from "../../design/state.js"
import { Billing } from "./billing.js"
import { onboarding } from "./onboarding.js"
import styles from "./overview.module.css"
import { ProjectFacts } from "./project.js"
import { Documents, Tasks } from "./tasks.js"
import { People, RequestsByStatus } from "./trends.js"

const project = admin.query(Admin.projects.get, { id: projectId })

const team = admin.query(Admin.admins.list, { limit: 1 })
const content = admin.query(Admin.content.paginated, { limit: 1 })

/** How many there are; a dash where the role may not know. */
const total = ({ data, error }: Asked<Page<unknown>>): ReactNode =>
  data?.paging.total ?? (error === undefined ? <Skeleton width="4rem" height="2rem" /> : "—")

const Stats = ({ bill }: { readonly bill: Amount | undefined }): ReactElement => {
  const tiles = [
    ["People in the team", total(useQuery(team))],
    ["Content entries", total(useQuery(content))],
    ["End users", total(useQuery(everyone))],
    ["This month’s bill", bill ? money(bill.amount, bill.currency) : <Skeleton width="4rem" height="2rem" />]
  ] as const
  return (
    <dl className={styles.stats}>
      {tiles.map(([name, figure]) => (
        <div key={name} className={show.card}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

const Overview = (): ReactElement => {
  const session = useSession(admin.session)
  const state = useQuery(onboarding)
  const ours = useQuery(project)
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
          ours.data === undefined ? (
            <Skeleton width="16rem" height="1.25rem" />
          ) : (
            `This is what happens in ${ours.data.name ?? "your project"}.`
          )
        }
      >
        {ours.data !== undefined && (
          <Badge tone="good" dot>
            Sandbox
          </Badge>
        )}
      </PageHead>
      <div className={layout.stack}>
        <Stats bill={state.data?.stats.currentBillAmount} />
        <div className={`${layout.halves} ${styles.even}`}>
          <People />
          <RequestsByStatus />
        </div>
        <div className={layout.halves}>
          <div className={layout.stack}>
            <Loaded of={state} skeleton={<Skeleton className={show.card} height="8rem" />}>
              {({ tasks }) => <Tasks tasks={tasks} />}
            </Loaded>
            <Loaded of={state} skeleton={<Skeleton className={show.card} height="13.5rem" />}>
              {({ documents }) => (
                <Documents documents={documents} by={identity?.email ?? identity?._id ?? "unknown"} />
              )}
            </Loaded>
            <ProjectFacts of={ours} />
          </div>
          <Loaded of={state} skeleton={<Skeleton className={show.card} height="30rem" />}>
            {({ billing, stats }) => <Billing items={billing} bill={stats.currentBillAmount} />}
          </Loaded>
        </div>
      </div>
    </>
  )
}

export default Overview
