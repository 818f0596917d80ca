/** The administrator's open work: tasks to complete and documents to accept. */
import type { ReactElement } from "react"
import type { Document, PendingTask } from "../../../../core/onboarding/model.js"
import { useMutation } from "../../../rx/index.js"
import { report } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { useAsk } from "../../design/dialog.js"
import layout from "../../design/layout.module.css"
import { Badge, Card, When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import { accept, complete } from "./onboarding.js"

const descriptions: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  "billing-onboarding": {
    title: "Set up billing",
    text: "Look at the prices on this page and confirm that your project may be billed."
  }
}

const Task = ({ task }: { readonly task: PendingTask }): ReactElement => {
  const run = useMutation(complete)
  const { text, title } = descriptions[task.type] ?? { title: words(task.type), text: "" }
  const finish = async (): Promise<void> => {
    report(await run.mutate({ id: task.id }), "Task completed", title)
  }
  return (
    <li>
      <div className={layout.grow}>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {task.isCompleted ? (
        <Badge tone="good" dot>
          Completed
        </Badge>
      ) : (
        <Button busy={run.status === "pending"} onClick={() => void finish()}>
          Mark as complete
        </Button>
      )}
    </li>
  )
}

export const Tasks = ({ tasks }: { readonly tasks: ReadonlyArray<PendingTask> }): ReactElement => {
  const left = tasks.filter(({ isCompleted }) => !isCompleted).length
  return (
    <Card
      title="To do"
      flush
      action={<span className={typography.faint}>{left === 0 ? "All done" : `${left} left`}</span>}
    >
      {tasks.length === 0 ? (
        <Empty icon="check" title="Nothing to do" />
      ) : (
        <ul className={layout.rows}>
          {tasks.map((task) => (
            <Task key={task.id} task={task} />
          ))}
        </ul>
      )}
    </Card>
  )
}

export const Documents = (props: {
  readonly documents: ReadonlyArray<Document>
  readonly by: string
}): ReactElement => {
  const [dialog, ask] = useAsk()
  const run = useMutation(accept)
  const sign = async ({ id, title }: Document): Promise<void> => {
    const isAgreed = await ask({
      title: `Accept the ${title.toLowerCase()}?`,
      description: "Your name and the time are kept with it. It cannot be taken back here.",
      action: "Accept"
    })
    if (isAgreed) report(await run.mutate({ id, by: props.by }), "Document accepted", title)
  }
  return (
    <Card title="Documents" flush>
      <ul className={layout.rows}>
        {props.documents.map((document) => (
          <li key={document.id}>
            <div className={layout.grow}>
              <h3>{document.title}</h3>
              <p>
                {document.isAccepted ? (
                  <>
                    Accepted by {document.acceptedBy} on <When date={document.acceptedAt} long />
                  </>
                ) : (
                  document.description
                )}
              </p>
            </div>
            {document.isAccepted ? (
              <Badge tone="good" dot>
                Accepted
              </Badge>
            ) : (
              <Button
                onClick={() => void sign(document)}
                aria-label={`Accept the ${document.title.toLowerCase()}`}
              >
                Accept…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {dialog}
    </Card>
  )
}
