/** How the number of people grows. */
import type { ReactElement } from "react"
import { everyone, useWhole } from "../../app/names.js"
import { Loaded } from "../../data/loaded.js"
import { type Point, TrendChart } from "../../design/chart.js"
import { Card } from "../../design/show.js"
import { Empty, Skeleton } from "../../design/state.js"

const name = new Intl.DateTimeFormat("en-GB", { month: "short", year: "2-digit", timeZone: "UTC" })

/** How many there are up to the end of each month from the first date on, with those `before` it. */
const growth = (dates: ReadonlyArray<Date>, before: number): ReadonlyArray<Point> => {
  const months = dates.map((date) => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth())
  const first = Math.min(...months)
  return Array.from({ length: dates.length && Math.max(...months) - first + 1 }, (_, index) => ({
    label: name.format(Date.UTC(1970, first + index)).replace(" ", " ’"),
    value: before + months.filter((month) => month <= first + index).length
  }))
}

export const People = (): ReactElement => {
  const list = useWhole(everyone)
  const dates = list.items.flatMap(({ createdAt }) => (createdAt instanceof Date ? [createdAt] : []))
  return (
    <Card
      title="End users"
      action={
        <span className="faint">{list.part ? `months of ${list.part}` : "all who ever signed up"}</span>
      }
    >
      <Loaded
        of={list}
        skeleton={<Skeleton height="9rem" />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty icon="people" title="Nobody has signed up yet" />}
      >
        {() => <TrendChart caption="End users by month" points={growth(dates, list.total - dates.length)} />}
      </Loaded>
    </Card>
  )
}
