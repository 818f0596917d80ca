/** The runs of a fleet, the newest first, and the selected one beside them. */

import { JobsTrouble, type Progress, Runs } from "@quartet/fleet/http"
import { type ReactElement, useMemo, useState } from "react"
import { Router } from "../../app/routes.js"
import { Status, toneOf } from "../../app/status.js"
import { useListState } from "../../data/list-state.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import type { InboxRow } from "../../frame/inbox.js"
import { Workplace } from "../../frame/workplace.js"
import { Run } from "./run.js"
import { progressText, useWatched } from "./watched.js"

type RunRow = Progress & { readonly _id: string }

const nameOf = ({ job, key }: Progress): string => `${job} ${key}`

const rowOf = (run: RunRow): InboxRow => ({
  tone: toneOf(run.state),
  title: nameOf(run),
  at: run.startedAt,
  line: progressText(run),
  badge: <Status of={run.state} />
})

/** What the file of all runs has. */
const columns: ReadonlyArray<Column<RunRow>> = [
  { title: "Job", value: nameOf },
  { title: "State", value: ({ state }) => state },
  { title: "Done", value: ({ done }) => done },
  { title: "Failed", value: ({ failed }) => failed },
  { title: "Unknown", value: ({ unknown }) => unknown },
  { title: "Items", value: ({ total }) => total },
  { title: "Started", value: ({ startedAt }) => startedAt },
  { title: "Ended", value: ({ endedAt }) => endedAt }
]

/** Runs that are read at once. */
const step = 50

/** Runs that are read at most. */
const most = 500

const Jobs = (): ReactElement => {
  const id = Router.useRoute(["Job"])?.params.id
  const state = useListState()
  const [limit, setLimit] = useState(step)
  const answer = useWatched(Runs, `?limit=${limit}`)
  const { data, error } = answer
  const none = data === undefined && error instanceof JobsTrouble && error.isNone ? error : undefined
  const { runs, total = 0 } = data ?? {}
  const items = useMemo(() => (runs ?? []).map((run) => ({ ...run, _id: run.run })), [runs])
  return (
    <Workplace
      label="Jobs"
      of={{
        ...answer,
        data: (data ?? none) && { paging: { total } },
        error: none ? undefined : error,
        items,
        hasNextPage: items.length < Math.min(total, most),
        fetchNextPage: () => setLimit(Math.min(items.length + step, most))
      }}
      state={state}
      id={id}
      to={(id) => state.keep(id === undefined ? Router.Jobs() : Router.Job({ id }))}
      nameOf={nameOf}
      row={rowOf}
      columns={columns}
      empty={
        none ? (
          <Empty icon="jobs" title={none.title}>
            {none.advice}
          </Empty>
        ) : (
          <Empty icon="jobs" title="No runs yet">
            Start one with <code>npx @quartet/cli job run</code>, or with <code>job.start</code> in a program.
          </Empty>
        )
      }
    >
      {(row, id) => <Run key={id} id={id} row={row} />}
    </Workplace>
  )
}

export default Jobs
