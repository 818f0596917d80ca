/** One run: how far it is, who works on it, what failed, and what can be done about that. */

import { act as actOn, type Failure, Failures, Progress } from "@quartet/fleet/http"
import { type ReactElement, useEffect, useRef, useState } from "react"
import { Status } from "../../app/status.js"
import { addToast, warn } from "../../app/toasts.js"
import { Loaded } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { ask, type Question } from "../../design/dialog.js"
import { FactList, Source, When } from "../../design/show.js"
import { Note } from "../../design/state.js"
import { Detail, Thing } from "../../frame/detail.js"
import { announced, items, progressText, tried, useWatched, workerOf } from "./watched.js"

/** Does something with the run, after a question where there is one. */
type Act = (doneMessage: string, work: () => ReturnType<typeof actOn>, question?: Question) => Promise<void>

/** How far a run is; nothing of that while nobody knows how many items there are. */
const Bar = ({ of }: { readonly of: Progress }): ReactElement => {
  const { done, failed, job, key, total = 0, unknown } = of
  return (
    <progress
      className="block h-2 w-full rounded-full border border-transparent bg-line-strong [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-chart [&::-webkit-progress-value]:forced-color-adjust-none [&::-moz-progress-bar]:rounded-full"
      aria-label={`Progress of ${job} ${key}`}
      aria-valuetext={progressText(of)}
      max={Math.max(1, total)}
      value={of.total === undefined ? undefined : Math.min(done + failed + unknown, total)}
    />
  )
}

interface NotDoneProps {
  readonly run: Progress
  readonly state: Failure["state"]
  readonly busy: boolean
  readonly act: Act
}

/** The items of which it is known that they failed, or not known, page by page. */
const NotDone = ({ act, busy, run, state }: NotDoneProps): ReactElement => {
  const [after, setAfter] = useState(-1)
  const query = `limit=20&after=${after}&state=${state}`
  const answer = useWatched(Failures, `/${run.run}/failures?${query}`)
  const isLocked = busy || run.state === "cancelled"
  const again = (items?: ReadonlyArray<number>) =>
    void act("Retried", () => actOn(run.run, "retry", { states: [state], ...(items && { items }) }))
  const settle = (item: number) =>
    void act("Marked as done", () => actOn(run.run, "settle", { items: [item] }), {
      title: `Mark item ${item} as done?`,
      description: "Do this only if you have checked that it was done. It will never be retried.",
      action: "Mark as done"
    })
  return (
    <section aria-label={state === "failed" ? "Failed items" : "Unknown items"}>
      <div className="row">
        <p className="flex-1 quiet">
          {items(run[state])} {state === "failed" ? "failed" : "with a lost answer"}
        </p>
        <Button icon="refresh" busy={isLocked} onClick={() => again()}>
          Retry all
        </Button>
      </div>
      <Loaded of={answer}>
        {({ failures, next }) => (
          <>
            <ol>
              {failures.map((failure) => (
                <li key={failure.item} className="grid gap-2 border-b py-3">
                  <p className="text-sm wrap-anywhere">
                    <strong>Item {failure.item}</strong>: {failure.error}{" "}
                    <span className="faint">
                      {tried(failure)}, <When date={failure.at} />
                    </span>
                  </p>
                  <Source label={`Input of item ${failure.item}`} text={failure.input} />
                  <div className="row">
                    <Button size="s" busy={isLocked} onClick={() => again([failure.item])}>
                      Retry item {failure.item}
                    </Button>
                    {state === "unknown" && (
                      <Button size="s" busy={busy} onClick={() => settle(failure.item)}>
                        Mark item {failure.item} as done
                      </Button>
                    )}
                  </div>
                </li>
              ))}
            </ol>
            <div className="row justify-end pt-3 empty:hidden">
              {after >= 0 && <Button onClick={() => setAfter(-1)}>First page</Button>}
              {next !== undefined && <Button onClick={() => setAfter(next)}>Next page</Button>}
            </div>
          </>
        )}
      </Loaded>
    </section>
  )
}

const RunDetail = (props: { readonly run: Progress; readonly refetch: () => void }): ReactElement => {
  const { refetch, run } = props
  const { endedAt, failed, pages, run: id, startedAt, state, unknown } = run
  const [busy, setBusy] = useState(false)
  const head = useRef<HTMLHeadingElement>(null)
  // An item that is done takes the focus with it.
  useEffect(() => {
    if (document.activeElement === document.body) head.current?.focus({ preventScroll: true })
  })
  const act: Act = async (doneMessage, work, question) => {
    if (question !== undefined && !(await ask(question))) return
    setBusy(true)
    await work().then(
      ({ count }) => addToast(doneMessage, count === undefined ? undefined : items(count)),
      warn
    )
    setBusy(false)
    refetch()
  }
  const steer = (action: "cancel" | "pause" | "resume", doneMessage: string, question?: Question) => () =>
    void act(doneMessage, () => actOn(id, action, {}), question)
  const isOver = state === "done" || state === "cancelled"
  return (
    <Detail
      title={`${run.job} ${run.key}`}
      about={
        <>
          {progressText(run)} · started <When date={startedAt} long />
        </>
      }
      tools={<Status of={state} />}
      actions={
        isOver ? undefined : (
          <>
            <Button
              busy={busy}
              onClick={state === "paused" ? steer("resume", "Resumed") : steer("pause", "Paused")}
            >
              {state === "paused" ? "Resume" : "Pause"}
            </Button>
            <Button
              kind="danger"
              busy={busy}
              onClick={steer("cancel", "Cancelled", {
                title: `Cancel ${run.job}?`,
                description: "It stops for good. What is done stays done, and the rest will not be done.",
                action: "Cancel run",
                decline: "Keep running",
                danger: true
              })}
            >
              Cancel…
            </Button>
          </>
        )
      }
    >
      <div className="stack">
        <p className="sr-only" role="status">
          {announced(run)}
        </p>
        {run.error !== undefined && <Note tone="warn">{run.error}</Note>}
        <Bar of={run} />
        <h3 ref={head} tabIndex={-1}>
          Items not done
        </h3>
        {failed + unknown === 0 && <p className="quiet">None failed.</p>}
        {unknown > 0 && <NotDone run={run} state="unknown" busy={busy} act={act} />}
        {failed > 0 && <NotDone run={run} state="failed" busy={busy} act={act} />}
        <h3>At work</h3>
        {pages.length === 0 && <p className="quiet">No runner works on it.</p>}
        <FactList
          of={pages.map((page) => [
            page.page < 0 ? "Reader" : `Page ${page.page + 1}`,
            <span key="">
              <Status of={page.state} /> {workerOf(page)}
            </span>
          ])}
        />
      </div>
      <details className="more">
        <summary>More</summary>
        <FactList
          of={[
            ["ID", id],
            ...(endedAt === undefined ? [] : [["Ended", <When key="" date={endedAt} long />] as const])
          ]}
        />
      </details>
    </Detail>
  )
}

export const Run = (props: { readonly id: string; readonly row: Progress | undefined }): ReactElement => {
  const answer = useWatched(Progress, `/${props.id}`)
  return (
    <Thing of={answer} row={props.row} noun="run">
      {(run) => <RunDetail run={run} refetch={answer.refetch} />}
    </Thing>
  )
}
