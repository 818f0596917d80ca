/** What each role may do: roles × resources, and the effective level. */

import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { type ReactElement, useState } from "react"
import { admin } from "../../app/query-clients.js"
import type { PermissionRow, RoleRow } from "../../app/rows.js"
import { Loaded } from "../../data/loaded.js"
import { Badge, Card, PageHead, Scroll, type Tone, words } from "../../design/show.js"
import { ChangeLevel, permissions, roles, type Target } from "./change-level.js"
import { effective, grantsOfRole, levelName } from "./effective.js"

const tones: Readonly<Record<number, Tone>> = { 1: "info", 3: "accent", 9: "good" }

/** What a role may do with a resource. On narrow screens, where no column says it, it begins with the role. */
const Cell = (props: {
  readonly of: ReturnType<typeof effective>
  readonly role: string
  /** Asks for another level; not where the administrator may not change any. */
  readonly onChange: false | (() => void)
}): ReactElement => {
  const { grant, level } = props.of
  const Tag = props.onChange === false ? "span" : "button"
  return (
    <td className="px-1.5 py-1 max-md:block max-md:border-b-0 max-md:px-2.5">
      <Tag
        className="grid w-full grid-cols-[3.75rem] rounded-sm border border-transparent px-1.5 py-1 text-left *:last:justify-center max-md:grid-cols-[1fr_3.75rem] [button&]:hover:border-line-strong"
        title={grant === undefined ? "No grant" : `By ${grant}`}
        {...(props.onChange !== false && { type: "button", onClick: props.onChange })}
      >
        <span className="truncate md:hidden">{props.role}</span>
        <Badge tone={tones[level ?? 0] ?? "calm"}>{levelName(level)}</Badge>
      </Tag>
    </td>
  )
}

const Matrix = (props: {
  readonly all: ReadonlyArray<PermissionRow>
  readonly roles: ReadonlyArray<RoleRow>
}): ReactElement => {
  const { all } = props
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
                    of={effective(grants, resource)}
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
  return (
    <>
      <PageHead title="Roles" about="What those who run your product may do." />
      <Card
        title="What each role may do"
        about="Each cell shows the level that counts: the most specific grant decides."
        flush
      >
        <Loaded of={roleList}>
          {(rolePage) => (
            <Loaded of={all}>{(page) => <Matrix all={page.items} roles={rolePage.items} />}</Loaded>
          )}
        </Loaded>
      </Card>
    </>
  )
}

export default People
