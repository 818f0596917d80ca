/** The form of any call: its fields, what is asked before it is sent, its progress, and what came of it. */
import { type ReactElement, useState } from "react"
import { useMutation, useSession, useUpload } from "../../rx/index.js"
import { Button } from "../design/button.js"
import { useAsk } from "../design/dialog.js"
import { Form } from "../design/form.js"
import layout from "../design/layout.module.css"
import { type SchemaFormOptions, useSchemaForm } from "../design/schema-form.js"
import { Badge, Card, Source, size } from "../design/show.js"
import { Note } from "../design/state.js"
import { type Entry, knownOf, questionOf, sending, type Values } from "./catalogue.js"
import { addToast } from "./toasts.js"
import { labelOf } from "./viewer.js"

/** Sends a call, after asking where it has to: the question's dialog, and how the latest run stands. */
export const useSend = (of: Entry, fileName?: string) => {
  const [calls] = useState(() => sending(of, fileName))
  const [mutation, upload] = [useMutation(calls.mutation), useUpload(calls.upload)]
  const [dialog, ask] = useAsk()
  const start = of.isUpload ? upload.start : mutation.mutate
  const send = async (input: Values) => {
    const question = questionOf(of, input)
    if (question !== undefined && !(await ask(question))) return undefined
    const outcome = await start(input)
    if (outcome.status === "cancelled") addToast("Stopped", "Nothing was kept of what was sent.")
    return outcome
  }
  return { dialog, send, run: of.isUpload ? upload : mutation, stop: upload.cancel }
}

/** At most this much of an answer is shown, in characters. */
const most = 50_000

const Answer = ({ of, run }: { readonly of: Entry; readonly run: ReturnType<typeof useSend>["run"] }) => {
  if (run.status === "error")
    return (
      <Note tone="bad">
        Ended with <code>{String(Object(run.error)._tag)}</code>.
      </Note>
    )
  if (run.status !== "success") return null
  if (of.isDownload) return <Note tone="good">Saved as a file: {size(Number(run.data))}.</Note>
  const text = run.data === undefined ? "No content" : JSON.stringify(run.data, null, 2)
  return (
    <Card title="Answer" action={<Badge tone="good">Done</Badge>}>
      <Source label="Answer" text={text.length > most ? `${text.slice(0, most)}\n…` : text} />
    </Card>
  )
}

const Sending = (props: {
  readonly progress: number | undefined
  readonly onStop: () => void
}): ReactElement => (
  <div className={layout.row}>
    <progress aria-label="Uploading" max={1} value={props.progress} />
    <span>{`Uploading${props.progress === undefined ? "" : ` · ${Math.round(props.progress * 100)}%`}`}</span>
    <Button onClick={props.onStop}>Stop</Button>
  </div>
)

export interface CallFormOptions {
  readonly of: Entry
  /** What is sent too, and has no field. */
  readonly given?: Values | undefined
  /** What the fields start with. */
  readonly initial?: Values | undefined
  /** Reads once more what is changed: only what differs is sent. */
  readonly present?: SchemaFormOptions["present"]
  /** What a download is saved as. */
  readonly fileName?: string | undefined
  /** What the button says. */
  readonly verb?: string
  readonly onSuccess?: (() => void) | undefined
}

/** The form of a call, what came of the latest run, and the input as far as it is filled in. */
export const useCallForm = (options: CallFormOptions) => {
  const { fileName, given, initial, of, onSuccess, present, verb } = options
  const session = useSession(of.client.session)
  const { dialog, run, send, stop } = useSend(of, fileName)
  const { controls, form, input } = useSchemaForm({
    fields: of.fields.map((field) =>
      field.name === "payload" ? { ...field, known: knownOf(of.name) } : field
    ),
    isOpen: of.isOpen,
    given,
    initial,
    present,
    // A file cannot be kept.
    draft: of.isUpload ? undefined : `${of.key}/${JSON.stringify(given ?? initial)}`,
    submit: send,
    onSuccess
  })
  const element = (
    <>
      <Form of={form}>
        {controls}
        {run.status === "uploading" && <Sending progress={run.progress} onStop={stop} />}
        {!session.can(of.call) ? (
          <Note tone="warn">
            {session.status === "signed-in"
              ? "Your role does not allow this call."
              : `Nobody is signed in as ${labelOf(of.audience).toLowerCase()}: choose one at “View as”.`}
          </Note>
        ) : (
          <Button kind="primary" icon="send" submit busy={form.busy}>
            {verb ?? (of.isRead ? "Send" : "Send, and change data")}
          </Button>
        )}
      </Form>
      {dialog}
    </>
  )
  const answer = (
    <div role="status">
      <Answer of={of} run={run} />
    </div>
  )
  return { form: element, answer, input }
}
