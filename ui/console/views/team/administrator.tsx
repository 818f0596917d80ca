/** One administrator: their roles, what these let them do place by place, and when they are away. */
import { useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect } from "react"
import { explain } from "../../app/explain.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { AdminRow } from "../../app/rows.js"
import { Button } from "../../design/button.js"
import { CopyButton } from "../../design/copy.js"
import { dayRange, day as dayText } from "../../design/format.js"
import { MenuButton } from "../../design/menu.js"
import { Avatar, Badge, Kbd, words } from "../../design/show.js"
import { Note, Skeleton } from "../../design/state.js"
import { Detail, Part, PartLink, Thing } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import {
  type Absence,
  isApproved,
  isoOf,
  kindLabel,
  monthOf,
  nextOf,
  todayOf,
  useAbsences
} from "./absences.js"
import { EditAdministrator } from "./administrator-form.js"
import { nameOf, roleNames, useAdministrator, useIsOwn, usePermissions, useRoles } from "./data.js"
import {
  effective,
  everything,
  type Granted,
  grantsOfRoles,
  resourceLabel,
  resourcesOf
} from "./effective.js"
import { LevelBadge } from "./level.js"

/** The fields that the view shows; all others stand under "More". */
const known = ["email", "fullName", "roles", "createdAt"]

interface Actions {
  readonly edit: ((row: AdminRow) => void) | undefined
  readonly remove: ((row: AdminRow) => void) | undefined
  readonly add: (() => void) | undefined
  /** Whether they were added just now, by the form that had the focus. */
  readonly isNew: boolean
  /** Whether there is no other administrator. */
  readonly isAlone: boolean
}

const Levels = (props: {
  readonly title: string
  readonly grants: Granted
  readonly resources: ReadonlyArray<string>
}): ReactNode =>
  props.resources.length > 0 && (
    <Part title={props.title}>
      <dl className="level-list">
        {props.resources.map((resource) => (
          <div key={resource} className="level-line">
            <dt className="min-w-0 truncate">
              {resource === everything ? "Everything else" : resourceLabel(resource)}
            </dt>
            <dd>
              <LevelBadge of={effective(props.grants, resource)} />
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  )

/** What the roles of somebody let them do, together. */
const Rights = ({ of }: { readonly of: AdminRow }): ReactNode => {
  const session = useSession(admin.session)
  const roles = useRoles()
  const permissions = usePermissions()
  if (!session.can(Admin.roles.list) || !session.can(Admin.permissions.list))
    return <p className="quiet">Your role does not let you view what others can do.</p>
  const error = roles.error ?? permissions.error
  if (error !== undefined) return <p className="quiet">{explain(error).title}.</p>
  if (roles.data === undefined || permissions.data === undefined)
    return (
      <div className="mt-5">
        <Skeleton height="16rem" />
      </div>
    )
  const own = roles.items.filter(({ _id }) => of.roles?.includes(_id))
  const grants = grantsOfRoles(permissions.whole, own)
  const resources = resourcesOf(permissions.whole)
  const beyond = resources.others.filter(
    (resource) => effective(grants, resource).level !== effective(grants, everything).level
  )
  const all = effective(grants, everything).level
  return (
    <>
      <Levels title="What they can do" grants={grants} resources={resources.places} />
      <Levels title="Other" grants={grants} resources={[...beyond, ...resources.wildcard]} />
      {all === undefined && own.length === 0 && <Note>Without a role they can sign in but see nothing.</Note>}
    </>
  )
}

const AbsenceLink = ({ of }: { readonly of: Absence }): ReactElement => (
  <PartLink
    to={Router.Holidays({ month: monthOf(of.from) })}
    end={isApproved(of) ? undefined : <Badge tone="warn">{words(of.status)}</Badge>}
  >
    {dayRange(isoOf(of.from), isoOf(of.until))} <span className="quiet">{kindLabel(of.kind)}</span>
  </PartLink>
)

/** When somebody is away: what comes, then what was. */
const Absences = ({ id }: { readonly id: string }): ReactNode => {
  const session = useSession(admin.session)
  const { error, failed, isLoading, items } = useAbsences()
  const today = todayOf()
  if (!session.can(Admin.intranet.holidayReport))
    return (
      <Part title="Absences">
        <p className="quiet">Your role does not let you view absences.</p>
      </Part>
    )
  const own = items.filter(({ userId }) => userId === id)
  const coming = own.filter(({ until }) => until >= today)
  const past = own.filter(({ until }) => until < today).reverse()
  if (isLoading && own.length === 0) return <Skeleton height="4rem" />
  const group = (title: string, of: ReadonlyArray<Absence>): ReactNode =>
    of.length > 0 && (
      <Part title={title}>
        <ul>
          {of.slice(0, 5).map((absence) => (
            <AbsenceLink key={absence.key} of={absence} />
          ))}
        </ul>
      </Part>
    )
  return (
    <>
      {group("Away now or soon", coming)}
      {group("Was away", past)}
      {own.length === 0 && (
        <Part title="Absences">
          <p className="quiet">{error === undefined ? "None on record." : `${explain(error).title}.`}</p>
        </Part>
      )}
      {error === undefined && failed.length > 0 && (
        <p className="mt-2 faint">Could not be loaded: {failed.map(kindLabel).join(", ").toLowerCase()}.</p>
      )}
    </>
  )
}

/** When they are away, or will be, in one line. */
const useAway = (id: string): string | undefined => {
  const { items } = useAbsences()
  const today = todayOf()
  const next = nextOf(
    items.filter(({ userId }) => userId === id),
    today
  )
  if (next === undefined) return undefined
  const isNow = next.from <= today
  const day = isoOf(isNow ? next.until : next.from)
  return `Away ${isNow ? "until" : "from"} ${dayRange(day, day)}`
}

const Administrator = (
  props: Actions & { readonly of: AdminRow; readonly isEdited: boolean; readonly onEdited: () => void }
): ReactElement => {
  const { add, edit, isAlone, isEdited, isNew, of, onEdited, remove } = props
  const { _id: id, createdAt, email, roles: ids } = of
  const roles = useRoles()
  const isOwn = useIsOwn()(of)
  const names = roleNames(ids, roles.items)
  useEffect(() => {
    if (isNew) document.querySelector<HTMLElement>("[data-detail-title]")?.focus()
  }, [isNew])
  const away = useAway(id)
  const since = createdAt instanceof Date && `${isOwn ? "since" : "Since"} ${dayText(createdAt)}`
  return (
    <Detail
      lead={<Avatar name={nameOf(of)} size="l" />}
      title={nameOf(of)}
      about={[away, isOwn && "You", since].filter(Boolean).join(" · ")}
      actions={
        isEdited ? undefined : edit === undefined && remove === undefined ? (
          <span className="quiet">
            You can view administrators, but your role does not let you change them.
          </span>
        ) : (
          <>
            {edit && (
              <Button kind="primary" onClick={() => edit(of)}>
                Edit <Kbd keys="e" />
              </Button>
            )}
            {remove && !isOwn && (
              <MenuButton
                isIcon
                label="More actions"
                items={[
                  {
                    label: "Remove…",
                    icon: "trash",
                    keys: "Delete",
                    isDanger: true,
                    onAction: () => remove(of)
                  }
                ]}
              />
            )}
          </>
        )
      }
    >
      {isEdited ? (
        <EditAdministrator of={of} onDone={onEdited} />
      ) : (
        <>
          {isAlone && (
            <div className="mb-4">
              <Note>
                You are the only administrator.{" "}
                {add && (
                  <Button size="s" onClick={add}>
                    Add administrator
                  </Button>
                )}
              </Note>
            </div>
          )}
          {email && (
            <Part title="Email">
              <p className="flex min-h-8 items-center gap-1 text-sm">
                <a href={`mailto:${email}`} className="truncate">
                  {email}
                </a>
                <CopyButton text={email} what="the email address" />
              </p>
            </Part>
          )}
          <Part title="Roles">
            <div className="row">
              {(ids ?? []).map((role, index) => (
                <Link key={role} to={Router.Roles({ role })} className="role-chip">
                  {names[index]}
                </Link>
              ))}
              {names.length === 0 && <span className="quiet">No role</span>}
            </div>
          </Part>
          <Rights of={of} />
          <Absences id={id} />
          <More of={of} known={known} />
        </>
      )}
    </Detail>
  )
}

export const AdministratorDetail = (
  props: Actions & {
    readonly id: string
    readonly row: AdminRow | undefined
    readonly isEdited: boolean
    readonly onEdited: () => void
  }
): ReactElement => {
  const { id, row, ...rest } = props
  return (
    <Thing of={useAdministrator(id)} row={row} noun="administrator">
      {(of) => <Administrator {...rest} of={of} />}
    </Thing>
  )
}
