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
import { progressText, reasons, useWatched } from "./watched.js"

type RunRow = Progress & { readonly _id: string }

const nameOf = ({ job, key }: Progress): string => `${job} ${key}`

/** Where it stands, and below that what it waits for or why it is paused, on as many lines as that takes. */
const Line = ({ of }: { readonly of: Progress }): ReactElement => {
  const [reason] = reasons(of)
  return (
    <>
      {progressText(of)}
      {reason !== undefined && <span className="line-clamp-3 wrap-anywhere whitespace-normal">{reason}</span>}
    </>
  )
}

const rowOf = (run: RunRow): InboxRow => ({
  tone: toneOf(run.state),
  title: nameOf(run),
  at: run.startedAt,
  line: <Line of={run} />,
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
  // A list that was read before does not know of it yet, and would open it again.
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const items = useMemo(
    () => (runs ?? []).filter(({ run }) => !removed.has(run)).map((run) => ({ ...run, _id: run.run })),
    [runs, removed]
  )
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
      {(row, id) => (
        <Run
          key={id}
          id={id}
          row={row}
          onRemoved={() => {
            setRemoved((before) => new Set([...before, id]))
            state.close(state.keep(Router.Jobs()))
          }}
        />
      )}
    </Workplace>
  )
}

export default Jobs
