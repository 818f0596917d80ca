/** The table of resources and roles. It is one stop of the Tab key; the arrows move from cell to cell. */
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react"
import { useCommands } from "../../app/commands.js"
import type { AdminRow, RoleRow } from "../../app/rows.js"
import { Scroll } from "../../design/show.js"
import type { Target } from "./change-level.js"
import { heldBy, roleName } from "./data.js"
import {
  effective,
  everything,
  type Granted,
  grantsOfRoles,
  levelName,
  ofActions,
  type Permission,
  resourceLabel,
  resourcesOf
} from "./effective.js"
import { isInherited, LevelBadge } from "./level.js"

/** What a cell says to those who do not see it. */
const spoken = (role: RoleRow, resource: string, grants: Granted): string => {
  const of = effective(grants, resource)
  return [
    roleName(role),
    resourceLabel(resource),
    levelName(of.level).toLowerCase() + (isInherited(of, resource) ? ", same as everything else" : "")
  ].join(", ")
}

const steps: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-8, 0],
  PageDown: [8, 0],
  Home: [0, -Infinity],
  End: [0, Infinity]
}

const within = (place: number, count: number): number => Math.max(0, Math.min(count - 1, place))

export const Matrix = (props: {
  readonly all: ReadonlyArray<Permission>
  readonly roles: ReadonlyArray<RoleRow>
  /** The id of the role that stands out, which is the only one that a narrow screen shows. */
  readonly shown: string | undefined
  readonly holdersOf: (role: RoleRow) => ReadonlyArray<AdminRow> | undefined
  readonly onRole: (id: string) => void
  readonly onPress: (target: Target) => void
}): ReactElement => {
  const { all, holdersOf, onPress, onRole, shown } = props
  const table = useRef<HTMLTableElement>(null)
  const roles = props.roles.map((role) => ({ role, grants: grantsOfRoles(all, [role]) }))
  const { others, places, wildcard } = resourcesOf(all)
  const groups = [
    { title: "", resources: wildcard },
    { title: "Places", resources: places },
    { title: "Other", resources: others }
  ].filter(({ resources }) => resources.length > 0)
  const resources = groups.flatMap((group) => group.resources)
  const [stop, setStop] = useState<readonly [row: number, column: number]>([0, 0])
  // A role that is chosen elsewhere is where the Tab key leads next.
  const chosen = props.roles.findIndex(({ _id }) => _id === shown)
  useEffect(() => setStop(([at]) => [at, Math.max(0, chosen)]), [chosen])
  const row = within(stop[0], resources.length)
  const column = within(stop[1], roles.length)
  const go = (down: number, right: number): void => {
    const next = [within(row + down, resources.length), within(column + right, roles.length)] as const
    setStop(next)
    const reached = roles[next[1]]?.role
    if (reached !== undefined) onRole(reached._id)
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.join(" ")}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    if (!(event.target instanceof HTMLElement) || event.target.dataset.cell === undefined) return
    event.preventDefault()
    go(...step)
  }
  /** Goes on from a cell; from elsewhere, to the cell where one was. */
  const enter = (down: number) => (): void =>
    table.current?.contains(document.activeElement) ? go(down, 0) : go(0, 0)
  useCommands([
    { label: "Next", icon: "next", keys: "j", repeats: true, run: enter(1) },
    { label: "Previous", icon: "back", keys: "k", repeats: true, run: enter(-1) },
    { label: "Into the table", icon: "next", keys: "ArrowDown", run: enter(1) }
  ])
  const hiddenClass = (role: RoleRow): string => (role._id === shown ? "" : "max-md:hidden")
  return (
    <Scroll label="What each role can do" className="role-scroll" tabIndex={-1}>
      <table ref={table} className="role-table" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col" className="max-md:hidden">
              <span className="sr-only">Place or resource</span>
            </th>
            {roles.map(({ role }) => (
              <th
                key={role._id}
                scope="col"
                className="max-md:hidden"
                data-shown={role._id === shown || undefined}
              >
                <button
                  type="button"
                  className="role-head"
                  aria-pressed={role._id === shown}
                  onClick={() => onRole(role._id)}
                >
                  <span className="line-clamp-2 font-semibold text-ink">{roleName(role)}</span>
                  <span className="block text-xs font-normal">{heldBy(holdersOf(role))}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.title}>
            {group.title !== "" && (
              <tr>
                <th scope="rowgroup" colSpan={roles.length + 1} className="role-group">
                  {group.title}
                </th>
              </tr>
            )}
            {group.resources.map((resource) => {
              const at = resources.indexOf(resource)
              return (
                <tr key={resource}>
                  <th scope="row">
                    {resourceLabel(resource)}
                    {resource === everything && <span className="faint"> unless set below</span>}
                  </th>
                  {roles.map(({ grants, role }, place) => {
                    const of = effective(grants, resource)
                    const more = ofActions(grants, resource).length
                    return (
                      <td key={role._id} className={hiddenClass(role)}>
                        <button
                          type="button"
                          className="role-cell"
                          data-cell={`${at} ${place}`}
                          tabIndex={at === row && place === column ? 0 : -1}
                          aria-label={spoken(role, resource, grants)}
                          onFocus={() => setStop([at, place])}
                          onClick={({ currentTarget }) => {
                            // Above the place where messages say what became of it.
                            currentTarget.scrollIntoView({ block: "nearest" })
                            onRole(role._id)
                            onPress({ role, resource })
                          }}
                        >
                          <LevelBadge of={of} isFaint={isInherited(of, resource)} />
                          {more > 0 && <span className="faint">+{more}</span>}
                        </button>
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        ))}
      </table>
    </Scroll>
  )
}
