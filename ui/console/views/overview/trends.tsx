/** Trends: people over time, and requests by status. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { statuses } from "../../../../core/requests/model.js"
import { useQuery } from "../../../rx/index.js"
import { everyone } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { requests } from "../../app/rows.js"
import { type Point, ShareBar, TrendChart } from "../../design/chart.js"
import { Card, words } from "../../design/show.js"
import { Empty, Loaded, Skeleton } from "../../design/state.js"
import typography from "../../design/typography.module.css"

const everything = admin.query(requests.list, { limit: 500 })

const month = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" })

/** The count at the end of each month, from the first one on. */
const growth = (dates: ReadonlyArray<Date>): ReadonlyArray<Point> => {
  const sorted = [...dates].sort((a, b) => a.getTime() - b.getTime())
  const [first] = sorted
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return []
  const points: Array<Point> = []
  for (
    let end = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
    points.at(-1)?.value !== sorted.length;
    end = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 1))
  ) {
    const inside = new Date(end.getTime() - 1)
    const year = String(inside.getUTCFullYear()).slice(2)
    points.push({
      label: `${month.format(inside)} ’${year}`,
      value: sorted.filter((date) => date < end).length
    })
  }
  return points
}

export const People = (): ReactElement => {
  const answer = useQuery(everyone)
  return (
    <Card title="End users" action={<span className={typography.faint}>all who ever signed up</span>}>
      <Loaded
        of={answer}
        skeleton={<Skeleton height="9rem" />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty icon="people" title="Nobody has signed up yet" />}
      >
        {({ items }) => (
          <TrendChart
            caption="End users by month"
            points={growth(items.flatMap(({ createdAt }) => (createdAt instanceof Date ? [createdAt] : [])))}
            format={(value) => String(Math.round(value))}
          />
        )}
      </Loaded>
    </Card>
  )
}

export const RequestsByStatus = (): ReactElement => {
  const answer = useQuery(everything)
  return (
    <Card
      title="Requests"
      action={<span className={typography.faint}>by status</span>}
      footer={<Link to={Router.Requests({ status: ["pending"] })}>Answer the pending ones</Link>}
    >
      <Loaded of={answer} skeleton={<Skeleton height="9rem" />}>
        {({ items }) => (
          <ShareBar
            caption="Requests by status"
            format={String}
            points={statuses
              .map((status) => ({
                label: words(status),
                value: items.filter((item) => item.status === status).length
              }))
              .filter(({ value }) => value > 0)}
          />
        )}
      </Loaded>
    </Card>
  )
}
