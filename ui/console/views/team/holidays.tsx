/** Who is away: people by rows, days of a month by columns; on a narrow screen a list by week. */
import { useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { type ReactElement, useState } from "react"
import { useCommands } from "../../app/commands.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { useListState } from "../../data/list-state.js"
import { Failed } from "../../data/loaded.js"
import { Button, IconButton } from "../../design/button.js"
import { month as monthText, number } from "../../design/format.js"
import { Kbd, Scroll } from "../../design/show.js"
import { Empty, Note, SkeletonRows } from "../../design/state.js"
import { Chips } from "../../design/tabs.js"
import { AbsenceCard, Overview } from "./absence-card.js"
import {
  type Absence,
  dateOf,
  daysOf,
  isWithin,
  kindClass,
  kindLabel,
  monthAfter,
  monthOf,
  nearest,
  todayOf,
  useAbsences
} from "./absences.js"
import { Calendar } from "./calendar.js"
import { TeamPage } from "./page.js"
import { Weeks } from "./weeks.js"

/** The kinds among absences, those that are most frequent first, with their numbers. */
const kindsOf = (of: ReadonlyArray<Absence>): ReadonlyArray<readonly [kind: string, count: number]> => {
  const counts = new Map<string, number>()
  for (const { kind } of of) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].sort(([, left], [, right]) => right - left)
}

/** A kind beside its tone, which the bars have. */
const Kind = ({ of }: { readonly of: string }): ReactElement => (
  <>
    <span className={`size-2 rounded-full bg-tone ${kindClass(of)}`} aria-hidden="true" />
    {kindLabel(of)}
  </>
)

export const Holidays = (): ReactElement => {
  const session = useSession(admin.session)
  const state = useListState()
  const absences = useAbsences()
  const [selected, setSelected] = useState<string>()
  const today = todayOf()
  const present = monthOf(today)
  const { error, failed, isLoading, items, parts, undated } = absences

  // Without a month in the address: the present one, or if nobody is away in it, the nearest in which somebody is.
  const asked = state.read("month")
  const presentDays = daysOf(present) ?? []
  const isAnybodyAway = items.some((of) => isWithin(of, presentDays[0] ?? 0, presentDays.at(-1) ?? 0))
  const closest = nearest(items, today)
  const begun = isAnybodyAway || isLoading || closest === undefined ? present : monthOf(closest.from)
  const days = daysOf(asked ?? begun) ?? presentDays
  const first = days[0] ?? today
  const last = days.at(-1) ?? today
  const month = monthOf(first)

  const inMonth = items.filter((of) => isWithin(of, first, last))
  const kind = state.read("type")
  const shown = kind === undefined ? inMonth : inMonth.filter((of) => of.kind === kind)
  const kinds = kindsOf(inMonth)
  const away = new Set(shown.map(({ name, userId }) => userId ?? name)).size
  const near = nearest(kind === undefined ? items : items.filter((of) => of.kind === kind), first)
  const absence = items.find(({ key }) => key === selected)

  const close = (): void => setSelected(undefined)
  const isKnown = !isLoading && error === undefined

  const show = (next: string): void => state.set({ month: next })
  const move = (step: number) => (): void => show(monthAfter(month, step))
  const toToday = (): void => show(present)
  useCommands([
    { label: "Previous month", icon: "back", keys: "ArrowLeft", run: move(-1) },
    { label: "Next month", icon: "next", keys: "ArrowRight", run: move(1) },
    { label: "This month", icon: "calendar", keys: "0", run: toToday },
    {
      label: "Close the absence",
      icon: "close",
      keys: "Escape",
      isOffered: () => selected !== undefined,
      run: close
    }
  ])
  const hrefOf = (type: string): string => state.href({ type }, Router.Holidays())
  const title = monthText(dateOf(first))

  if (!session.can(Admin.intranet.holidayReport))
    return (
      <TeamPage part="Holidays">
        <Empty icon="calendar" title="Your role does not let you view absences">
          Someone who manages roles can change that.
        </Empty>
      </TeamPage>
    )
  return (
    <TeamPage
      part="Holidays"
      about={isKnown && `${away === 0 ? "Nobody" : number(away)} away in ${title}`}
      tools={
        <span className="flex items-center gap-1">
          <IconButton icon="back" label="Previous month" keys="ArrowLeft" onClick={move(-1)} />
          <strong className="min-w-32 text-center text-sm" aria-live="polite">
            {title}
          </strong>
          <IconButton icon="next" label="Next month" keys="ArrowRight" onClick={move(1)} />
          <Button size="s" className="max-md:hidden" onClick={toToday}>
            Today <Kbd keys="0" />
          </Button>
        </span>
      }
      bar={
        kinds.length > 0 && (
          <>
            <span className="team-break" aria-hidden="true" />
            <Chips
              label="Kinds"
              current={hrefOf(kind ?? "")}
              tabs={[
                { label: "All kinds", count: inMonth.length, to: hrefOf("") },
                ...kinds.map(([type, count]) => ({ label: <Kind of={type} />, count, to: hrefOf(type) })),
                ...(kind !== undefined && !kinds.some(([type]) => type === kind)
                  ? [{ label: <Kind of={kind} />, count: 0, to: hrefOf(kind) }]
                  : [])
              ]}
            />
          </>
        )
      }
      foot={
        <>
          <span className="pointer-coarse:hidden max-md:hidden">
            <Kbd keys="ArrowLeft" /> <Kbd keys="ArrowRight" /> month <Kbd keys="0" /> today{" "}
            <Kbd keys="ArrowDown" /> next absence
          </span>
          <span className="flex-1" />
          {undated > 0 && <span>Not shown because they have no dates: {number(undated)}.</span>}
          {parts.length > 0 && <span>{parts.join("; ")}.</span>}
          <span role="status">
            {isKnown && `${number(shown.length)} ${shown.length === 1 ? "absence" : "absences"}`}
          </span>
        </>
      }
    >
      {error === undefined && failed.length > 0 && (
        <div className="px-4 pt-3">
          <Note tone="warn">
            Could not be loaded: {failed.map(kindLabel).join(", ").toLowerCase()}.{" "}
            <Button size="s" onClick={absences.refetch}>
              Try again
            </Button>
          </Note>
        </div>
      )}
      {error !== undefined ? (
        <Failed error={error} what="The holidays" onRetry={absences.refetch} />
      ) : isLoading && shown.length === 0 ? (
        <SkeletonRows rows={12} />
      ) : (
        <div className="team-body">
          <div className="absences">
            <Scroll label={`Absences in ${title}`} className="absences-scroll" tabIndex={-1}>
              {shown.length === 0 ? (
                <Empty icon="calendar" title={`Nobody is away in ${title}`}>
                  {near && (
                    <Button onClick={() => show(monthOf(near.from))}>Go to the nearest absence</Button>
                  )}
                </Empty>
              ) : (
                <>
                  <Calendar of={shown} days={days} today={today} selected={selected} onSelect={setSelected} />
                  <Weeks of={shown} all={items} first={first} selected={selected} onSelect={setSelected} />
                </>
              )}
            </Scroll>
            <aside
              className="absence-aside"
              aria-label={absence ? "The selected absence" : "Today"}
              data-selected={absence && ""}
            >
              {absence ? (
                <AbsenceCard of={absence} all={items} onSelect={setSelected} onClose={close} />
              ) : (
                <Overview of={items} today={today} onSelect={setSelected} />
              )}
            </aside>
          </div>
        </div>
      )}
    </TeamPage>
  )
}
