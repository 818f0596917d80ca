/** One run: how far it is, who works on it, what failed, and what can be done about that. */

import { act as actOn, type Failure, Failures, Progress } from "@quartet/fleet/http"
import { type ReactElement, type RefObject, useEffect, useRef, useState } from "react"
import { Status } from "../../app/status.js"
import { addToast, warn } from "../../app/toasts.js"
import { Loaded } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { ask, type Question } from "../../design/dialog.js"
import { number } from "../../design/format.js"
import { FactList, Source, When } from "../../design/show.js"
import { Note } from "../../design/state.js"
import { Detail, Thing } from "../../frame/detail.js"
import {
  items,
  meant,
  progressText,
  reasons,
  tried,
  useAnnounced,
  useTimeLeft,
  useWatched,
  workerOf
} from "./watched.js"

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

/** What is asked before items are sent of which nobody knows whether they were done, or noted as done. `what` names them. */
const questions = {
  send: (what: string): Question => ({
    title: `Send ${what} again?`,
    description:
      "Nobody knows whether this was done. It is sent without looking, so what was done already may be done twice. Do this only if you have checked that it was not done.",
    action: "Send again",
    danger: true
  }),
  settle: (what: string): Question => ({
    title: `Mark ${what} as done?`,
    description: "Do this only if you have checked that it was done. It will never be retried.",
    action: "Mark as done"
  })
}

/** The items of which it is known that they failed, or not known, page by page: what is done with one, with those that are ticked, or with all. */
const NotDone = ({ act, busy, run, state }: NotDoneProps): ReactElement => {
  const [after, setAfter] = useState(-1)
  const [ticks, setTicks] = useState<ReadonlySet<number>>(new Set())
  const query = `limit=20&after=${after}&state=${state}`
  const answer = useWatched(Failures, `/${run.run}/failures?${query}`)
  const isLocked = busy || run.state === "cancelled"
  // What has left the list is not ticked any more.
  const ticked = (answer.data?.failures ?? []).map(({ item }) => item).filter((item) => ticks.has(item))
  const flip = (item: number): void =>
    setTicks(new Set(ticked.includes(item) ? ticked.filter((other) => other !== item) : [...ticked, item]))
  /** Of items by their numbers, or of all. */
  const again = (named?: ReadonlyArray<number>) =>
    void act("Retried", () => actOn(run.run, "retry", { states: [state], ...(named && { items: named }) }))
  const send = (what: string, named?: ReadonlyArray<number>) =>
    void act(
      "Sent again",
      () => actOn(run.run, "retry", { states: [state], send: true, ...(named && { items: named }) }),
      questions.send(what)
    )
  const settle = (what: string, named?: ReadonlyArray<number>) =>
    void act(
      "Marked as done",
      () => actOn(run.run, "settle", named ? { items: named } : { all: true }),
      questions.settle(what)
    )
  const named = ticked.length === 0 ? undefined : ticked
  const some = meant(run[state], ticked.length)
  const which = named === undefined ? "all" : "ticked"
  return (
    <section aria-label={state === "failed" ? "Failed items" : "Unknown items"}>
      <div className="row flex-wrap">
        <p className="flex-1 quiet">
          {items(run[state])} {state === "failed" ? "failed" : "with a lost answer"}
        </p>
        <p className="faint" role="status">
          {named && `${number(named.length)} ticked`}
        </p>
        <Button icon="refresh" busy={isLocked} onClick={() => again(named)}>
          Retry {which}
        </Button>
        {state === "unknown" && (
          <>
            <Button busy={isLocked} onClick={() => send(some, named)}>
              Send {which} again…
            </Button>
            <Button busy={busy} onClick={() => settle(some, named)}>
              Mark {which} as done…
            </Button>
          </>
        )}
      </div>
      <Loaded of={answer}>
        {({ failures, next }) => (
          <>
            <ol>
              {failures.map((failure) => (
                <li key={failure.item} className="grid gap-2 border-b py-3">
                  <div className="text-sm wrap-anywhere">
                    <label className="inline-flex items-center gap-2">
                      <input
                        type="checkbox"
                        checked={ticks.has(failure.item)}
                        onChange={() => flip(failure.item)}
                      />
                      <strong>Item {failure.item}</strong>
                    </label>
                    : {failure.error}{" "}
                    <span className="faint">
                      {tried(failure)}, <When date={failure.at} />
                    </span>
                  </div>
                  <Source label={`Input of item ${failure.item}`} text={failure.input} />
                  <div className="row flex-wrap">
                    <Button size="s" busy={isLocked} onClick={() => again([failure.item])}>
                      Retry item {failure.item}
                    </Button>
                    {state === "unknown" && (
                      <>
                        <Button
                          size="s"
                          busy={isLocked}
                          onClick={() => send(`item ${failure.item}`, [failure.item])}
                        >
                          Send item {failure.item} again…
                        </Button>
                        <Button
                          size="s"
                          busy={busy}
                          onClick={() => settle(`item ${failure.item}`, [failure.item])}
                        >
                          Mark item {failure.item} as done…
                        </Button>
                      </>
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

/** Gives the focus to a heading once what had it is gone: an item that is done takes the focus with it. */
const useKeptFocus = (heading: RefObject<HTMLElement | null>): void => {
  const held = useRef<Element>(undefined)
  useEffect(() => {
    const hold = ({ target }: FocusEvent): void => {
      // A question gives back what it takes.
      if (!(target instanceof Element) || target.closest("[data-dialog]")) return
      held.current = heading.current?.closest(".detail")?.contains(target) ? target : undefined
    }
    document.addEventListener("focusin", hold)
    return () => document.removeEventListener("focusin", hold)
  }, [heading])
  useEffect(() => {
    if (document.activeElement !== document.body) return
    if (held.current?.isConnected === false) heading.current?.focus({ preventScroll: true })
    // Who left it for the page is left there.
    else held.current = undefined
  })
}

interface RunDetailProps {
  readonly run: Progress
  readonly refetch: () => void
  readonly onRemoved: () => void
}

const RunDetail = ({ onRemoved, refetch, run }: RunDetailProps): ReactElement => {
  const { endedAt, failed, pages, run: id, startedAt, state, unknown } = run
  const [busy, setBusy] = useState(false)
  const left = useTimeLeft(run)
  const said = useAnnounced(run)
  const head = useRef<HTMLHeadingElement>(null)
  useKeptFocus(head)
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
  const remove = async (): Promise<void> => {
    const isAgreed = await ask({
      title: `Remove ${run.job}?`,
      description:
        "The run is forgotten, with the items that were not done. Started again with the same key, it does everything once more.",
      action: "Remove run",
      danger: true
    })
    if (!isAgreed) return
    setBusy(true)
    await actOn(id, "remove", {}).then(
      () => {
        addToast("Removed")
        onRemoved()
      },
      (error: unknown) => {
        setBusy(false)
        warn(error)
      }
    )
  }
  const steer = (action: "cancel" | "pause" | "resume", doneMessage: string, question?: Question) => () =>
    void act(doneMessage, () => actOn(id, action, {}), question)
  const isOver = state === "done" || state === "cancelled"
  return (
    <Detail
      title={`${run.job} ${run.key}`}
      about={
        <>
          {[progressText(run), left].filter(Boolean).join(", ")} · started <When date={startedAt} long />
        </>
      }
      tools={<Status of={state} />}
      actions={
        isOver ? (
          <Button kind="danger" busy={busy} onClick={() => void remove()}>
            Remove…
          </Button>
        ) : (
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
          {said}
        </p>
        {reasons(run).map((reason) => (
          <Note key={reason} tone="warn">
            {reason}
          </Note>
        ))}
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

export const Run = (props: {
  readonly id: string
  readonly row: Progress | undefined
  /** Leaves the page of a run that was removed. */
  readonly onRemoved: () => void
}): ReactElement => {
  const answer = useWatched(Progress, `/${props.id}`)
  return (
    <Thing of={answer} row={props.row} noun="run">
      {(run) => <RunDetail run={run} refetch={answer.refetch} onRemoved={props.onRemoved} />}
    </Thing>
  )
}
