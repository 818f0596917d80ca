/** Trends: people over time, and requests by status. */
import type { ReactElement } from "react"
import { statuses } from "../../../../core/requests/model.js"
import { useQuery } from "../../../rx/index.js"
import { everyone } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { requests } from "../../app/rows.js"
import { Bars, type Point, TrendChart } from "../../design/chart.js"
import { Card, words } from "../../design/show.js"
import { Empty, Loaded, Skeleton } from "../../design/state.js"
import typography from "../../design/typography.module.css"

const everything = admin.query(requests.list, { limit: 500 })

const name = new Intl.DateTimeFormat("en-GB", { month: "short", year: "2-digit", timeZone: "UTC" })

/** How many dates there are up to the end of each month, from the first one on. */
const growth = (dates: ReadonlyArray<Date>): ReadonlyArray<Point> => {
  const months = dates.map((date) => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth())
  const first = Math.min(...months)
  return Array.from({ length: dates.length && Math.max(...months) - first + 1 }, (_, index) => ({
    label: name.format(Date.UTC(1970, first + index)).replace(" ", " ’"),
    value: months.filter((month) => month <= first + index).length
  }))
}

export const People = (): ReactElement => (
  <Card title="End users" action={<span className={typography.faint}>all who ever signed up</span>}>
    <Loaded
      of={useQuery(everyone)}
      skeleton={<Skeleton height="9rem" />}
      isEmpty={({ items }) => items.length === 0}
      empty={<Empty icon="people" title="Nobody has signed up yet" />}
    >
      {({ items }) => (
        <TrendChart
          caption="End users by month"
          points={growth(items.flatMap(({ createdAt }) => (createdAt instanceof Date ? [createdAt] : [])))}
        />
      )}
    </Loaded>
  </Card>
)

export const RequestsByStatus = (): ReactElement => (
  <Card flush title="Requests" action={<span className={typography.faint}>by status</span>}>
    <Loaded of={useQuery(everything)} skeleton={<Skeleton height="12rem" />}>
      {({ items }) => (
        <Bars
          caption="Requests by status"
          points={statuses
            .map((status) => ({
              label: words(status),
              value: items.filter((item) => item.status === status).length,
              to: Router.Requests({ status: [status] })
            }))
            .filter(({ value }) => value > 0)}
        />
      )}
    </Loaded>
  </Card>
)
