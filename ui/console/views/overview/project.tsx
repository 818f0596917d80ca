/** The project itself: its languages, its providers, and its public key. */
import { Fragment, type ReactElement } from "react"
import type { Project } from "../../../../core/projects/model.js"
import layout from "../../design/layout.module.css"
import { Badge, Card, When } from "../../design/show.js"
import { type Asked, Loaded, Skeleton } from "../../design/state.js"

const languageName = new Intl.DisplayNames(["en"], { type: "language" })

const languagesOf = ({ languages }: Project): ReadonlyArray<string> =>
  Array.isArray(languages) ? languages.filter((one): one is string => typeof one === "string") : []

export const ProjectFacts = ({ of }: { readonly of: Asked<Project> }): ReactElement => (
  <Card title="Project">
    <Loaded of={of} skeleton={<Skeleton height="9.5rem" />}>
      {(project) => (
        <dl className={layout.facts}>
          <dt>Name</dt>
          <dd>{project.name}</dd>
          <dt>Created</dt>
          <dd>
            <When date={project.created} />
          </dd>
          <dt>Languages</dt>
          <dd>
            {languagesOf(project)
              .map((code) => languageName.of(code) ?? code)
              .join(", ")}
          </dd>
          <dt>Providers</dt>
          <dd>
            {(project.providers ?? []).map(({ _id, name }, index) => (
              <Fragment key={_id ?? index}>
                {" "}
                <Badge>{name}</Badge>
              </Fragment>
            ))}
          </dd>
          <dt>Project id</dt>
          <dd>
            <code>{project._id}</code>
          </dd>
        </dl>
      )}
    </Loaded>
  </Card>
)
