/** The runs of a fleet, the newest first, with the details of one beside the list. */

import { type Progress, Runs } from "@quartet/fleet/http"
import { type ReactElement, useState } from "react"
import { Router } from "../../app/routes.js"
import { Status } from "../../app/status.js"
import { useListState } from "../../data/list-state.js"
import { type Column, List } from "../../data/table.js"
import { PageHead } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { Bar, Run } from "./run.js"
import { progressText, useWatched } from "./watched.js"

const columns: ReadonlyArray<Column<Progress>> = [
  { title: "Job", value: ({ job, key }) => `${job} ${key}` },
  { title: "State", value: ({ state }) => state, cell: ({ state }) => <Status of={state} /> },
  { title: "Progress", value: progressText, cell: (run) => <Bar of={run} /> },
  { title: "Done", value: ({ done }) => done },
  { title: "Not done", value: ({ failed, unknown }) => failed + unknown },
  { title: "Started", value: ({ startedAt }) => startedAt }
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
  const { runs = [], total = 0 } = answer.data ?? {}
  return (
    <>
      <PageHead
        title="Jobs"
        about="Imports, notifications and other long work, on this machine or on many."
      />
      <List
        label="Runs"
        of={{
          ...answer,
          data: answer.data && { paging: { total } },
          items: runs.map((run) => ({ ...run, _id: run.run })),
          hasNextPage: runs.length < Math.min(total, most),
          fetchNextPage: () => setLimit(Math.min(runs.length + step, most))
        }}
        state={state}
        columns={columns}
        to={(run) => Router.Job({ id: run.run })}
        empty={
          <Empty icon="jobs" title="No run so far">
            Start one with <code>quartet job run</code>, or with <code>job.start</code> in a program.
          </Empty>
        }
      />
      {id !== undefined && <Run key={id} id={id} onClose={() => state.close(Router.Jobs())} />}
    </>
  )
}

export default Jobs
