/** What each role may do: roles × resources, the effective level, and how both readings decide one question. */
import { type ReactElement, useState } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import * as Level from "../../../../core/permissions/level.js"
import { useQuery, useSession } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import type { PermissionRow, RoleRow } from "../../app/rows.js"
import { Loaded } from "../../data/loaded.js"
import { Segmented } from "../../design/field.js"
import { Icon } from "../../design/icon.js"
import { Scroll } from "../../design/scroll.js"
import { Badge, Card, PageHead, type Tone, toneClass, words } from "../../design/show.js"
import { ChangeLevel, permissions, roles, type Target } from "./change-level.js"
import { compare, grantsOfRole, levelName, levels } from "./effective.js"

const tones: Readonly<Record<number, Tone>> = { 1: "info", 3: "accent", 9: "good" }

/** What a role may do with a resource. On narrow screens, where no column says it, it begins with the role. */
const Cell = (props: {
  readonly of: ReturnType<typeof compare>
  readonly role: string
  /** Asks for another level; not where the administrator may not change any. */
  readonly onChange: false | (() => void)
}): ReactElement => {
  const { asBuilt, differs, intended } = props.of
  const Tag = props.onChange === false ? "span" : "button"
  return (
    <td
      className="px-1.5 py-1 data-[differs=true]:bg-warn/12 max-md:block max-md:border-b-0 max-md:px-2.5"
      data-differs={differs}
    >
      <Tag
        className="grid w-full grid-cols-[3.75rem_auto] items-center gap-x-2 rounded-sm border border-transparent px-1.5 py-1 text-left max-md:grid-cols-[1fr_3.75rem_4.25rem] [button&]:hover:border-line-strong"
        {...(props.onChange !== false && { type: "button", onClick: props.onChange })}
      >
        <span className="truncate md:hidden">{props.role}</span>
        <span className="*:w-full *:justify-center">
          <Badge tone={tones[intended.level ?? 0] ?? "calm"}>{levelName(intended.level)}</Badge>
        </span>
        <span
          className="whitespace-nowrap text-2xs leading-[1.45]"
          title={intended.grant === undefined ? "No grant" : `By ${intended.grant}`}
        >
          {Object.entries(differs ? { intended, "as built": asBuilt } : { "": intended }).map(
            ([name, { allowed }]) => (
              <span
                key={name}
                className={`flex items-center gap-1 text-tone ${allowed ? toneClass.good : toneClass.bad}`}
              >
                <Icon name={allowed ? "check" : "close"} className="size-2.5!" />
                {name}
                <span className="sr-only">{allowed ? "allowed" : "denied"}</span>
              </span>
            )
          )}
        </span>
        {differs && <span className="sr-only">The two readings disagree.</span>}
      </Tag>
    </td>
  )
}

const Matrix = (props: {
  readonly all: ReadonlyArray<PermissionRow>
  readonly roles: ReadonlyArray<RoleRow>
  readonly level: Level.Level
}): ReactElement => {
  const { all, level } = props
  const mayChange = useSession(admin.session).can(Admin.roles.addPermission)
  const [target, setTarget] = useState<Target>()
  const roles = props.roles.map((role) => ({
    role,
    grants: grantsOfRole(all, role)
  }))
  return (
    <>
      <Scroll label="Roles and permissions">
        <table className="max-md:block">
          <thead className="max-md:hidden">
            <tr className="*:sticky *:top-0 *:z-1 *:bg-surface *:first:left-0 *:first:z-2">
              <th scope="col">Resource</th>
              {roles.map(({ role }) => (
                <th key={role._id} scope="col">
                  {role.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-md:block">
            {[...new Set(all.map(({ resource }) => resource))].map((resource) => (
              <tr key={resource} className="max-md:block">
                <th
                  scope="row"
                  className="sticky left-0 z-1 bg-surface max-md:top-0 max-md:block max-md:bg-sunken"
                >
                  {resource === "*" ? "Everything (*)" : words(resource)}
                </th>
                {roles.map(({ grants, role }) => (
                  <Cell
                    key={role._id}
                    of={compare(grants, resource, level)}
                    role={role.name ?? "Role"}
                    onChange={mayChange && (() => setTarget({ role, resource }))}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {target !== undefined && <ChangeLevel {...target} all={all} onClose={() => setTarget(undefined)} />}
    </>
  )
}

const People = (): ReactElement => {
  const roleList = useQuery(roles)
  const all = useQuery(permissions)
  const [asked, setAsked] = useState("Write")
  const level = levels.find(({ value }) => value === asked)?.level ?? Level.Write
  return (
    <>
      <PageHead title="Roles" about="What those who run your product may do." />
      <Card
        title="What each role may do"
        about="Each cell shows the level that counts: the most specific grant decides. “Intended” allows when the level is high enough. “As built” is how the old product judged: any grant allows everything. Cells in which the two disagree are marked."
        action={
          <span className="row">
            <span className="faint">Level asked for</span>
            <Segmented label="Level asked for" value={asked} choices={levels.slice(1)} onChange={setAsked} />
          </span>
        }
        flush
      >
        <Loaded of={roleList}>
          {(rolePage) => (
            <Loaded of={all}>
              {(page) => <Matrix all={page.items} roles={rolePage.items} level={level} />}
            </Loaded>
          )}
        </Loaded>
      </Card>
    </>
  )
}

export default People
