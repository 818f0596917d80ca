/** Roles × resources: the effective level, the grant that gives it, and how both readings decide one question. */
import { type ReactElement, useMemo, useState } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import type { Level } from "../../../../core/permissions/level.js"
import { useQuery, useSession } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import type { RoleRow } from "../../app/rows.js"
import { Segmented } from "../../design/field.js"
import { Icon } from "../../design/icon.js"
import layout from "../../design/layout.module.css"
import { Scroll } from "../../design/scroll.js"
import { Badge, Card, type Tone, words } from "../../design/show.js"
import { Empty, Loaded, SkeletonRows } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import { ChangeLevel, type Target } from "./change-level.js"
import { permissions, roles } from "./data.js"
import { type Comparison, compare, type Grants, grantsOf, levelName, type Permission } from "./effective.js"
import styles from "./people.module.css"

const questions = [
  { value: "1", label: "read" },
  { value: "3", label: "write" },
  { value: "9", label: "administer" }
] as const

const required: Readonly<Record<(typeof questions)[number]["value"], Level>> = { "1": 1, "3": 3, "9": 9 }

const tones: Readonly<Record<number, Tone>> = { 1: "info", 3: "accent", 9: "good" }

const Reading = (props: { readonly name: string; readonly allowed: boolean }): ReactElement => (
  <span data-allowed={props.allowed}>
    <Icon name={props.allowed ? "check" : "close"} size={10} />
    {props.name}
    <span className={typography.hidden}>: {props.allowed ? "allowed" : "denied"}</span>
  </span>
)

const CellContent = ({ comparison }: { readonly comparison: Comparison }): ReactElement => {
  const { asBuilt, differs, intended } = comparison
  return (
    <>
      <Badge tone={tones[intended.level ?? 0] ?? "calm"}>{levelName(intended.level)}</Badge>
      <span
        className={styles.readings}
        title={intended.grant === undefined ? "No grant" : `By ${intended.grant}`}
      >
        <Reading name="intended" allowed={intended.allowed} />
        <Reading name="as built" allowed={asBuilt.allowed} />
      </span>
      {differs && <span className={typography.hidden}>The two readings disagree.</span>}
    </>
  )
}

/** The grants of each role. */
const useGrants = (
  all: ReadonlyArray<Permission>,
  roles: ReadonlyArray<RoleRow>
): ReadonlyMap<string, Grants> =>
  useMemo(
    () =>
      new Map(
        roles.map((role) => [
          role._id,
          grantsOf(all.filter(({ _id }) => role.permissions?.includes(_id) === true))
        ])
      ),
    [all, roles]
  )

interface TableProps {
  readonly all: ReadonlyArray<Permission>
  readonly roles: ReadonlyArray<RoleRow>
  readonly level: Level
}

const Table = ({ all, level, roles }: TableProps): ReactElement => {
  const session = useSession(admin.session)
  const mayChange = session.can(Admin.roles.addPermission)
  const grants = useGrants(all, roles)
  const [target, setTarget] = useState<Target>()
  const resources = [...new Set(all.map(({ resource }) => resource))]
  return (
    <>
      <Scroll label="Roles and permissions">
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">Resource</th>
              {roles.map(({ _id, name }) => (
                <th key={_id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {resources.map((resource) => (
              <tr key={resource}>
                <th scope="row">{resource === "*" ? "Everything (*)" : words(resource)}</th>
                {roles.map((role) => {
                  const comparison = compare(grants.get(role._id) ?? {}, resource, level)
                  return (
                    <td key={role._id} data-differs={comparison.differs}>
                      {mayChange ? (
                        <button
                          type="button"
                          className={styles.cell}
                          onClick={() => setTarget({ role, resource, level: comparison.intended.level ?? 0 })}
                        >
                          <CellContent comparison={comparison} />
                        </button>
                      ) : (
                        <span className={styles.cell}>
                          <CellContent comparison={comparison} />
                        </span>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {target !== undefined && <ChangeLevel target={target} all={all} onClose={() => setTarget(undefined)} />}
    </>
  )
}

export const Matrix = (): ReactElement => {
  const roleList = useQuery(roles)
  const all = useQuery(permissions)
  const [question, setQuestion] = useState<(typeof questions)[number]["value"]>("3")
  return (
    <Card
      title="What each role may do"
      about="Each cell shows the level that counts: the most specific grant decides. “Intended” allows when the level is high enough. “As built” is how the old product judged: any grant allows everything. Cells in which the two disagree are marked."
      action={
        <span className={layout.row}>
          <span className={typography.faint}>May the role</span>
          <Segmented label="Question" value={question} choices={questions} onChange={setQuestion} />
        </span>
      }
      flush
    >
      <Loaded of={roleList} skeleton={<SkeletonRows rows={14} />}>
        {(rolePage) => (
          <Loaded
            of={all}
            skeleton={<SkeletonRows rows={14} />}
            isEmpty={({ items }) => items.length === 0}
            empty={<Empty icon="people" title="The platform has no permissions yet" />}
          >
            {(permissionPage) => (
              <Table all={permissionPage.items} roles={rolePage.items} level={required[question]} />
            )}
          </Loaded>
        )}
      </Loaded>
    </Card>
  )
}
