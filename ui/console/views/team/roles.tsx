/** What each role lets people do: resources by roles, with the level that counts in each cell. */
import { useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { type ReactElement, useState } from "react"
import { useCommands } from "../../app/commands.js"
import { admin } from "../../app/query-clients.js"
import type { RoleRow } from "../../app/rows.js"
import { useListState } from "../../data/list-state.js"
import { Loaded } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { Select } from "../../design/field.js"
import { number } from "../../design/format.js"
import { Kbd } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { ChangeLevel, type Target } from "./change-level.js"
import { roleName, useEverybody, usePermissions, useRoles } from "./data.js"
import { Matrix } from "./matrix.js"
import { TeamPage } from "./page.js"
import { AboutRole, NewRole } from "./role-actions.js"

const readOnly = "Your role does not let you manage roles. You can only view them."

const Foot = ({ mayChange, unknown }: { readonly mayChange: boolean; readonly unknown: number }) => (
  <>
    <span className="pointer-coarse:hidden max-md:hidden">
      <Kbd keys="j" /> <Kbd keys="k" /> <Kbd keys="ArrowLeft" /> <Kbd keys="ArrowRight" /> move{" "}
      <Kbd keys="Enter" /> {mayChange ? "change" : "look at"} a level
    </span>
    <span className="flex-1" />
    {!mayChange && <span className="md:hidden">{readOnly}</span>}
    <span>Levels without a tint come from the row “Everything”.</span>
    {unknown > 0 && <span>Permissions in another format, not shown: {number(unknown)}.</span>}
  </>
)

export const Roles = (): ReactElement => {
  const session = useSession(admin.session)
  const state = useListState()
  const list = useRoles()
  const permissions = usePermissions()
  const people = useEverybody()
  const [target, setTarget] = useState<Target>()
  const [focused, setFocused] = useState<string>()
  const [isNew, setNew] = useState(false)
  const mayChange = session.can(Admin.roles.addPermission)
  const openNew = session.can(Admin.roles.create) ? () => setNew(true) : undefined
  useCommands(openNew ? [{ label: "New role", icon: "plus", keys: "a", run: openNew }] : [])
  const roles = list.items
  const chosen = roles.find(({ _id }) => _id === (focused ?? state.read("role"))) ?? roles[0]
  /** Who has a role; undefined where that is not known. */
  const holdersOf = ({ _id }: RoleRow) =>
    people.data === undefined ? undefined : people.items.filter((of) => of.roles?.includes(_id))
  const choose = (role: string): void => {
    setFocused(undefined)
    state.set({ role })
  }
  return (
    <TeamPage
      part="Roles"
      about={list.data === undefined ? undefined : mayChange ? number(roles.length) : readOnly}
      tools={
        openNew && (
          <Button size="s" icon="plus" onClick={openNew}>
            New role
          </Button>
        )
      }
      bar={
        chosen && (
          <>
            <span className="team-break" aria-hidden="true" />
            <div className="min-w-28 flex-1 md:hidden">
              <Select
                label="Role"
                hideLabel
                value={chosen._id}
                choices={roles.map((role) => ({ value: role._id, label: roleName(role) }))}
                onChange={choose}
              />
            </div>
            <AboutRole of={chosen} holders={holdersOf(chosen)} />
          </>
        )
      }
      foot={
        list.data &&
        permissions.data &&
        roles.length > 0 && <Foot mayChange={mayChange} unknown={permissions.unknown} />
      }
    >
      <Loaded
        of={list}
        what="The roles"
        isEmpty={() => roles.length === 0}
        empty={
          <Empty icon="people" title="No roles yet">
            A role sets what administrators can do.
            {openNew && (
              <div>
                <Button kind="primary" icon="plus" onClick={openNew}>
                  New role
                </Button>
              </div>
            )}
          </Empty>
        }
      >
        {() => (
          <Loaded of={permissions} what="The permissions">
            {() => (
              <Matrix
                all={permissions.whole}
                roles={roles}
                shown={chosen?._id}
                holdersOf={holdersOf}
                onRole={setFocused}
                onPress={setTarget}
              />
            )}
          </Loaded>
        )}
      </Loaded>
      {target && (
        <ChangeLevel
          key={`${target.role._id} ${target.resource}`}
          {...target}
          all={permissions.whole}
          roles={roles}
          holders={holdersOf(target.role)}
          mayChange={mayChange}
          onClose={() => setTarget(undefined)}
        />
      )}
      {isNew && <NewRole roles={roles} onClose={() => setNew(false)} onCreated={choose} />}
    </TeamPage>
  )
}
