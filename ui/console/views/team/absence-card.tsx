/** Beside the calendar: one absence and the person's others of the year, or who is away today and what is asked for. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { customer } from "../../customer/data.js"
import { IconButton } from "../../design/button.js"
import { dayRange } from "../../design/format.js"
import { Avatar, Badge, FactList, words } from "../../design/show.js"
import { Part } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { type Absence, isApproved, isoOf, kindClass, kindLabel } from "./absences.js"
import { useEverybody } from "./data.js"

const known = ["_id", "type", "userId", "fullName", "startDate", "endDate", "days", "status"]

export const daysText = (days: number): string => (days === 1 ? "1 day" : `${days} days`)

/** The days of an absence; without its year, where that stands above. */
export const rangeOf = ({ from, until }: Absence, hasYear = true): string =>
  dayRange(isoOf(from), isoOf(until), hasYear)

/** A kind in its tone. */
export const KindBadge = ({ kind }: { readonly kind: string }): ReactElement => (
  <span className={`kind ${kindClass(kind)}`}>{kindLabel(kind)}</span>
)

const Line = (props: {
  readonly of: Absence
  readonly children: ReactNode
  readonly onSelect: (key: string) => void
}): ReactElement => (
  <li className="part-line relative py-1 hover:bg-hover">
    <button
      type="button"
      className="min-w-0 flex-1 truncate text-left after:absolute after:inset-0"
      onClick={() => props.onSelect(props.of.key)}
    >
      {props.children}
    </button>
    <KindBadge kind={props.of.kind} />
  </li>
)

/** A link to somebody, if they are an administrator or a customer. */
const Person = ({ of }: { readonly of: Absence }): ReactElement => {
  const session = useSession(admin.session)
  const { data, items } = useEverybody()
  const isAdministrator = items.some(({ _id }) => _id === of.userId)
  const isAsked =
    of.userId !== undefined && data !== undefined && !isAdministrator && session.can(Admin.users.get)
  const who = useQuery(isAsked ? customer(of.userId ?? "") : undefined)
  const id = of.userId ?? ""
  const to = isAdministrator
    ? Router.Administrator({ id })
    : who.data === undefined
      ? undefined
      : Router.Customer({ id })
  const text = "block truncate font-semibold text-ink"
  return (
    <div className="min-w-0 flex-1">
      {to === undefined ? (
        <strong className={text}>{of.name}</strong>
      ) : (
        <Link to={to} className={`${text} no-underline hover:underline`}>
          {of.name}
        </Link>
      )}
      <span className="quiet">
        {isAdministrator ? "Administrator" : who.data !== undefined ? "Customer" : kindLabel(of.kind)}
      </span>
    </div>
  )
}

/** An absence, and the others of the same person in its year. */
export const AbsenceCard = (props: {
  readonly of: Absence
  readonly all: ReadonlyArray<Absence>
  readonly onSelect: (key: string) => void
  readonly onClose?: () => void
}): ReactElement => {
  const { all, of, onClose, onSelect } = props
  const year = isoOf(of.from).slice(0, 4)
  const others = all.filter(
    ({ from, key, name, userId }) =>
      key !== of.key &&
      (of.userId === undefined ? name === of.name : userId === of.userId) &&
      isoOf(from).startsWith(year)
  )
  return (
    <div className="absence-card">
      <section>
        <div className="flex items-center gap-2.5">
          <Avatar name={of.name} />
          <Person of={of} />
          {onClose && <IconButton icon="close" label="Close" keys="Escape" size="s" onClick={onClose} />}
        </div>
        <div className="my-3 flex flex-wrap gap-1.5">
          <KindBadge kind={of.kind} />
          <Badge tone={isApproved(of) ? "good" : "warn"}>{words(of.status)}</Badge>
        </div>
        <FactList
          of={[
            ["Dates", rangeOf(of)],
            ["Length", daysText(of.days)]
          ]}
        />
        <More of={of.row} known={known} />
      </section>
      <Part title={`Other absences in ${year}`}>
        {others.length === 0 ? (
          <p className="quiet">None</p>
        ) : (
          <ul>
            {others.map((other) => (
              <Line key={other.key} of={other} onSelect={onSelect}>
                {rangeOf(other, false)}
              </Line>
            ))}
          </ul>
        )}
      </Part>
    </div>
  )
}

/** Who is away today, and what is asked for and begins from now on. */
export const Overview = (props: {
  readonly of: ReadonlyArray<Absence>
  readonly today: number
  readonly onSelect: (key: string) => void
}): ReactElement => {
  const { of, onSelect, today } = props
  const now = of.filter(({ from, until }) => from <= today && today <= until)
  const soon = of.filter(({ from }) => from > today).slice(0, 6)
  const asked = of.filter((absence) => !isApproved(absence) && absence.until >= today).slice(0, 12)
  const group = (title: string, absences: ReadonlyArray<Absence>): ReactNode =>
    absences.length > 0 && (
      <Part title={title}>
        <ul>
          {absences.map((absence) => (
            <Line key={absence.key} of={absence} onSelect={onSelect}>
              {absence.name}
              <span className="block truncate text-xs text-muted">{rangeOf(absence)}</span>
            </Line>
          ))}
        </ul>
      </Part>
    )
  return (
    <>
      {group("Away today", now) || (
        <Part title="Away today">
          <p className="quiet">Nobody</p>
        </Part>
      )}
      {group("Away soon", soon)}
      {group("Requested", asked)}
    </>
  )
}
