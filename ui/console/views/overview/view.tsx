/** The overview: the state of the project, and its administrator's open work. */
import type { ReactElement } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import type { ProjectStats } from "../../../../core/onboarding/model.js"
import { useQuery, useSession } from "../../../rx/index.js"
import { projectId } from "../../app/config.js"
import { admin } from "../../app/query-clients.js"
import layout from "../../design/layout.module.css"
import { Badge, money, PageHead } from "../../design/show.js"
import show from "../../design/show.module.css"
import { Loaded, Skeleton } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import { Billing } from "./billing.js"
import { onboarding } from "./onboarding.js"
import styles from "./overview.module.css"
import { ProjectFacts } from "./project.js"
import { Documents, Tasks } from "./tasks.js"
import { People, RequestsByStatus } from "./trends.js"

const project = admin.query(Admin.projects.get, { id: projectId })

const figures = (stats: ProjectStats) =>
  [
    ["People in the team", String(stats.userCount)],
    ["Content entries", String(stats.contentCount)],
    ["Registered end users", String(stats.registeredUserCount)],
    ["This month’s bill", money(stats.currentBillAmount.amount, stats.currentBillAmount.currency)]
  ] as const

const names = ["People in the team", "Content entries", "Registered end users", "This month’s bill"]

const Stats = ({ stats }: { readonly stats: ProjectStats | undefined }): ReactElement => (
  <dl className={styles.stats}>
    {names.map((name, index) => (
      <div key={name} className={show.card}>
        <dt>{name}</dt>
        <dd>{stats === undefined ? <Skeleton width="4rem" height="2rem" /> : figures(stats)[index]?.[1]}</dd>
      </div>
    ))}
  </dl>
)

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
        <div>
          <Stats stats={state.data?.stats} />
          <p className={`${typography.faint} ${styles.caption}`}>
            These four are the platform’s demo figures of a new project.
          </p>
        </div>
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
