/** Where the platform's answers are not what operations declare, and what the project's own record says. */

import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useCellValue } from "../../app/cells.js"
import { baseUrl, permissions, platform, platformModule, projectId } from "../../app/config.js"
import { project } from "../../app/project.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { labelOf } from "../../app/viewer.js"
import { Loaded } from "../../data/loaded.js"
import { number } from "../../design/format.js"
import { Badge, Card, FactList, type Facts, PageHead, When, words } from "../../design/show.js"
import { Empty, SkeletonRows } from "../../design/state.js"
import { More } from "../../frame/more.js"
import { type DriftPlace, drifts } from "../../wire/drifts.js"

const Drifts = ({ of }: { readonly of: ReadonlyArray<DriftPlace> }): ReactElement => (
  <div className="overflow-x-auto">
    <table className="notices">
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">Field</th>
          <th scope="col">Declared</th>
          <th scope="col">Received</th>
          <th scope="col" className="text-end">
            Times
          </th>
          <th scope="col" className="text-end">
            Last
          </th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ audience, came, count, expected, last, operation, path }) => (
          <tr key={`${audience} ${operation} ${path} ${came}`}>
            <th scope="row">
              <Link to={Router.Explorer({ call: `${audience}.${operation}` })}>{operation}</Link>{" "}
              <span className="faint">{labelOf(audience)}</span>
            </th>
            <td className="wrap-anywhere">{path ? <code>{path}</code> : "the whole answer"}</td>
            <td>{expected}</td>
            <td className="text-warn">{came}</td>
            <td className="text-end">{number(count)}</td>
            <td className="text-end">
              <When date={last} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const served: Facts = [
  ["Platform", platform],
  ...(platform === baseUrl ? [] : [["Address", baseUrl] as const]),
  ["Project", projectId],
  ["Permissions", words(permissions)],
  ["Described by", platformModule === undefined ? "The specification only" : "A platform module"]
]

/** What the project keeps of itself. */
const Project = (): ReactElement => {
  const session = useSession(admin.session)
  const canRead = session.can(Admin.projects.get)
  const answer = useQuery(canRead ? project : undefined)
  if (!canRead)
    return (
      <p className="quiet">
        Your role does not let you view the project. Someone who manages roles can change that.
      </p>
    )
  return (
    <Loaded of={answer} skeleton={<SkeletonRows rows={3} />}>
      {(of) => {
        const { created, languages, name, providers } = of
        const facts: Facts = [
          ...(name ? [["Name", name] as const] : []),
          ...(Array.isArray(languages) && languages.length > 0
            ? [["Languages", languages.join(", ")] as const]
            : []),
          ...(created instanceof Date ? [["Created", <When key="" date={created} long />] as const] : [])
        ]
        return (
          <>
            <FactList of={facts} />
            {providers && providers.length > 0 && (
              <ul className="mt-4">
                {providers.map(({ _id, isActive, name }, at) => (
                  <li key={_id ?? at} className="part-line">
                    <span className="flex-1">{name ?? "Provider"}</span>
                    <Badge tone={isActive === false ? "warn" : "good"}>
                      {isActive === false ? "Switched off" : "In use"}
                    </Badge>
                  </li>
                ))}
              </ul>
            )}
            <More of={of} known={["name", "languages", "created", "providers"]} />
          </>
        )
      }}
    </Loaded>
  )
}

const Notices = (): ReactElement => {
  const places = [...useCellValue(drifts).values()].sort(
    (left, right) => Number(right.last) - Number(left.last)
  )
  return (
    <>
      <PageHead
        title="Platform notices"
        about="Answers since this page was loaded that differ from what operations declare. None was refused."
      />
      <div className="stack">
        <Card title="Answers" flush>
          {places.length === 0 ? (
            <Empty icon="check" title="The platform answers as expected">
              Differences appear here as you use the console.
            </Empty>
          ) : (
            <Drifts of={places} />
          )}
        </Card>
        <div className="notices-cards">
          <Card title="The project’s own record">
            <Project />
          </Card>
          <Card title="Console configuration">
            <FactList of={served} />
          </Card>
        </div>
      </div>
    </>
  )
}

export default Notices
