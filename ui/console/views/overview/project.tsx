/** The project itself: its languages, its providers, and its public key. */
import type { ReactElement } from "react"
import type { Project } from "../../../../core/projects/model.js"
import { Badge, Card, FactList, When } from "../../design/show.js"
import { type Asked, Loaded, Skeleton } from "../../design/state.js"

const languageName = new Intl.DisplayNames(["en"], { type: "language" })

const languagesOf = ({ languages }: Project): ReadonlyArray<string> =>
  Array.isArray(languages) ? languages.filter((one): one is string => typeof one === "string") : []

export const ProjectFacts = ({ of }: { readonly of: Asked<Project> }): ReactElement => (
  <Card title="Project">
    <Loaded of={of} skeleton={<Skeleton height="9.5rem" />}>
      {(project) => (
        <FactList
          of={[
            ["Name", project.name],
            ["Created", <When key="" date={project.created} />],
            [
              "Languages",
              languagesOf(project)
                .map((code) => languageName.of(code) ?? code)
                .join(", ")
            ],
            [
              "Providers",
              (project.providers ?? []).map(({ _id, name }, index) => (
                <Badge key={_id ?? index}>{name}</Badge>
              ))
            ],
            ["Project id", <code key="">{project._id}</code>]
          ]}
        />
      )}
    </Loaded>
  </Card>
)
