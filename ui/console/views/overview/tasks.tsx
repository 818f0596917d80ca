/** The administrator's open work: tasks to complete and documents to accept. */
import type { ReactElement, ReactNode } from "react"
import type { Document, PendingTask } from "../../../../core/onboarding/model.js"
import { useMutation } from "../../../rx/index.js"
import { report } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { useAsk } from "../../design/dialog.js"
import layout from "../../design/layout.module.css"
import { Badge, Card, When, words } from "../../design/show.js"
import typography from "../../design/typography.module.css"
import { accept, complete } from "./onboarding.js"

const descriptions: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  "billing-onboarding": {
    title: "Set up billing",
    text: "Look at the prices on this page and confirm that your project may be billed."
  }
}

/** A piece of work: what is done to it, or that it was done. */
const Piece = (props: {
  readonly title: string
  readonly text: ReactNode
  readonly done: string | false
  readonly children: ReactNode
}): ReactElement => (
  <li>
    <div className={layout.grow}>
      <h3>{props.title}</h3>
      <p>{props.text}</p>
    </div>
    {props.done === false ? (
      props.children
    ) : (
      <Badge tone="good" dot>
        {props.done}
      </Badge>
    )}
  </li>
)

export const Tasks = ({ tasks }: { readonly tasks: ReadonlyArray<PendingTask> }): ReactElement => {
  const run = useMutation(complete)
  const left = tasks.filter(({ isCompleted }) => !isCompleted).length
  return (
    <Card
      title="To do"
      flush
      action={<span className={typography.faint}>{left === 0 ? "All done" : `${left} left`}</span>}
    >
      <ul className={layout.rows}>
        {tasks.map(({ id, isCompleted, type }) => {
          const { text, title } = descriptions[type] ?? { title: words(type), text: "" }
          const finish = async (): Promise<unknown> =>
            report(await run.mutate({ id }), "Task completed", title)
          return (
            <Piece key={id} title={title} text={text} done={isCompleted && "Completed"}>
              <Button busy={run.status === "pending"} onClick={() => void finish()}>
                Mark as complete
              </Button>
            </Piece>
          )
        })}
      </ul>
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
          <Piece
            key={document.id}
            title={document.title}
            text={
              document.isAccepted ? (
                <>
                  Accepted by {document.acceptedBy} on <When date={document.acceptedAt} long />
                </>
              ) : (
                document.description
              )
            }
            done={document.isAccepted && "Accepted"}
          >
            <Button
              onClick={() => void sign(document)}
              aria-label={`Accept the ${document.title.toLowerCase()}`}
            >
              Accept…
            </Button>
          </Piece>
        ))}
      </ul>
      {dialog}
    </Card>
  )
}
