/** What each role may do: roles × resources, the effective level, and how both readings decide one question. */
import { type ReactElement, useState } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import type { Level } from "../../../../core/permissions/level.js"
import { useQuery, useSession } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import type { PermissionRow, RoleRow } from "../../app/rows.js"
import { Loaded } from "../../data/loaded.js"
import { Segmented } from "../../design/field.js"
import { Icon } from "../../design/icon.js"
import layout from "../../design/layout.module.css"
import { Scroll } from "../../design/scroll.js"
import { Badge, Card, PageHead, type Tone, words } from "../../design/show.js"
import { SkeletonRows } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import { ChangeLevel, permissions, roles, type Target } from "./change-level.js"
import { compare, grantsOf, levelName } from "./effective.js"
import styles from "./people.module.css"

const questions = [
  { value: "read", label: "read", level: 1 },
  { value: "write", label: "write", level: 3 },
  { value: "administer", label: "administer", level: 9 }
] as const

const tones: Readonly<Record<number, Tone>> = { 1: "info", 3: "accent", 9: "good" }

const Reading = (props: { readonly name: string; readonly allowed: boolean }): ReactElement => (
  <span data-allowed={props.allowed}>
    <Icon name={props.allowed ? "check" : "close"} size={10} />
    {props.name}
    <span className={typography.hidden}>: {props.allowed ? "allowed" : "denied"}</span>
  </span>
)

const CellContent = ({ asBuilt, differs, intended }: ReturnType<typeof compare>): ReactElement => {
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

const Table = (props: {
  readonly all: ReadonlyArray<PermissionRow>
  readonly roles: ReadonlyArray<RoleRow>
  readonly level: Level
}): ReactElement => {
  const { all, level } = props
  const session = useSession(admin.session)
  const mayChange = session.can(Admin.roles.addPermission)
  const [target, setTarget] = useState<Target>()
  const roles = props.roles.map((role) => ({
    role,
    grants: grantsOf(all.filter(({ _id }) => role.permissions?.includes(_id) === true))
  }))
  const resources = [...new Set(all.map(({ resource }) => resource))]
  return (
    <>
      <Scroll label="Roles and permissions">
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">Resource</th>
              {roles.map(({ role }) => (
                <th key={role._id} scope="col">
                  {role.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {resources.map((resource) => (
              <tr key={resource}>
                <th scope="row">{resource === "*" ? "Everything (*)" : words(resource)}</th>
                {roles.map(({ grants, role }) => {
                  const comparison = compare(grants, resource, level)
                  const content = <CellContent {...comparison} />
                  const change = () => setTarget({ role, resource })
                  return (
                    <td key={role._id} data-differs={comparison.differs}>
                      {mayChange ? (
                        <button type="button" className={styles.cell} onClick={change}>
                          {content}
                        </button>
                      ) : (
                        <span className={styles.cell}>{content}</span>
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

const People = (): ReactElement => {
  const roleList = useQuery(roles)
  const all = useQuery(permissions)
  const [asked, setAsked] = useState<(typeof questions)[number]["value"]>("write")
  const level = questions.find(({ value }) => value === asked)?.level ?? 3
  return (
    <>
      <PageHead title="Roles" about="What those who run your product may do." />
      <Card
        title="What each role may do"
        about="Each cell shows the level that counts: the most specific grant decides. “Intended” allows when the level is high enough. “As built” is how the old product judged: any grant allows everything. Cells in which the two disagree are marked."
        action={
          <span className={layout.row}>
            <span className={typography.faint}>May the role</span>
            <Segmented label="Question" value={asked} choices={questions} onChange={setAsked} />
          </span>
        }
        flush
      >
        <Loaded of={roleList} skeleton={<SkeletonRows rows={14} />}>
          {(rolePage) => (
            <Loaded of={all} skeleton={<SkeletonRows rows={14} />}>
              {(page) => <Table all={page.items} roles={rolePage.items} level={level} />}
            </Loaded>
          )}
        </Loaded>
      </Card>
    </>
  )
}

export default People
