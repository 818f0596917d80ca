/** The onboarding of a new project, which the SDK keeps locally: tasks to complete and documents to accept. */
import * as Effect from "effect/Effect"
import type { ReactElement } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import type { Document, PendingTask } from "../../../../core/onboarding/model.js"
import { source, useMutation, useSession } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import { report } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { useAsk } from "../../design/dialog.js"
import { Badge, Card, When, words } from "../../design/show.js"

const { State } = Admin.onboarding

/** The whole onboarding. */
export const onboarding = admin.query(
  source("onboarding.all", () =>
    Effect.flatMap(State, ({ billing, documents, stats, tasks }) =>
      Effect.all({ tasks, documents, billing, stats })
    )
  )
)

/** Marks a task as complete. */
const complete = admin.mutation(
  source("onboarding.complete", ({ id }: { readonly id: string }) =>
    Effect.flatMap(State, (state) => state.complete(id))
  )
)

/** Accepts a document on behalf of a person. */
const accept = admin.mutation(
  source("onboarding.accept", ({ by, id }: { readonly id: string; readonly by: string }) =>
    Effect.flatMap(State, (state) => state.accept(id, by))
  )
)

const held = "Noted in this page, until it is loaded again."

const descriptions: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  "billing-onboarding": {
    title: "Set up billing",
    text: "Look at the prices on this page and confirm that your project may be billed."
  }
}

export const ToDo = (props: {
  readonly tasks: ReadonlyArray<PendingTask>
  readonly documents: ReadonlyArray<Document>
  /** Who accepts documents. */
  readonly by: string
}): ReactElement => {
  const session = useSession(admin.session)
  const [dialog, ask] = useAsk()
  const completing = useMutation(complete)
  const accepting = useMutation(accept)
  const sign = async ({ id, title }: Document): Promise<void> => {
    const isAgreed = await ask({
      title: `Accept the ${title.toLowerCase()}?`,
      description: "Your name and the time are noted in this page alone, until it is loaded again.",
      action: "Accept"
    })
    if (isAgreed) report(await accepting.mutate({ id, by: props.by }), "Document accepted", held)
  }
  const work = [
    ...props.tasks.map(({ id, isCompleted, type }) => ({
      id,
      title: words(type),
      text: "",
      ...descriptions[type],
      done: isCompleted && "Completed",
      action: "Mark as complete",
      run: async () => void report(await completing.mutate({ id }), "Task completed", held)
    })),
    ...props.documents.map((document) => ({
      ...document,
      text: document.isAccepted ? (
        <>
          Accepted by {document.acceptedBy} on <When date={document.acceptedAt} long />
        </>
      ) : (
        document.description
      ),
      done: document.isAccepted && "Accepted",
      action: "Accept…",
      run: () => sign(document)
    }))
  ]
  const left = work.filter(({ done }) => done === false).length
  return (
    <Card
      title="To do"
      about="An example: this page alone holds it, because the platform has no calls for it."
      flush
      action={<span className="faint">{left === 0 ? "All done" : `${left} left`}</span>}
    >
      <ul>
        {work.map(({ action, done, id, run, text, title }) => (
          <li key={id} className="flex items-center gap-3 border-t border-line px-4 py-3">
            <div className="min-w-0 flex-1">
              <h3>{title}</h3>
              <p className="quiet">{text}</p>
            </div>
            {done !== false ? (
              <Badge tone="good" dot>
                {done}
              </Badge>
            ) : session.can(Admin.projects.update) ? (
              <Button onClick={() => void run()} aria-label={`${action.replace("…", "")}: ${title}`}>
                {action}
              </Button>
            ) : (
              <Badge>Open</Badge>
            )}
          </li>
        ))}
      </ul>
      {dialog}
    </Card>
  )
}
