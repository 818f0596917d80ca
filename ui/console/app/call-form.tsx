/** The form of any call: its fields, what is asked before it is sent, its progress, and what came of it. */

import { useMutation, useQuery, useSession, useUpload } from "@quartet/react"
import { passed } from "@quartet/sdk/extend/description"
import * as AST from "effect/SchemaAST"
import { type ReactElement, useState } from "react"
import { Form } from "../data/form.js"
import { type ChoiceProps, type SchemaFormOptions, useSchemaForm } from "../data/schema-form.js"
import { Button } from "../design/button.js"
import { ask } from "../design/dialog.js"
import { MultiSelect, Select, TextField } from "../design/field.js"
import { size } from "../design/format.js"
import { Badge, Card, Source } from "../design/show.js"
import { Note } from "../design/state.js"
import {
  type Entry,
  isOwnAccount,
  payerOf,
  payloadOf,
  questionOf,
  type Resource,
  refusalOf,
  rowOf,
  sending,
  someOf,
  type Values
} from "./catalogue.js"
import { explain, signedOut } from "./explain.js"
import { addToast } from "./toasts.js"
import { choiceOf, linkedOf, useConcealed } from "./values.js"
import { labelOf } from "./viewer.js"

/** Sends a call, after asking where it has to, and tells how the latest run stands. */
export const useSend = (of: Entry, fileName?: string, row?: string, isRaw = false) => {
  const session = useSession(of.client.session)
  const [calls] = useState(() => sending(of, fileName))
  const mutation = useMutation(calls.mutation)
  const upload = useUpload(calls.upload)
  const start = of.isUpload ? upload.start : mutation.mutate
  const send = async (input: Values) => {
    const error = isRaw ? undefined : refusalOf(of, input)
    if (error !== undefined) return { status: "error", error } as const
    const payer = of.key === "admin.payments.refund" ? await payerOf(String(input.id)) : undefined
    const question = questionOf(of, input, {
      row,
      payer,
      isOneself: isOwnAccount(of, session, { _id: input.id })
    })
    if (question !== undefined && !(await ask(question))) return undefined
    const outcome = await start(isRaw ? passed(of.fields, input) : input)
    if (outcome.status === "cancelled")
      addToast("Stopped", "It may have been saved anyway. Check before you send it again.")
    return outcome
  }
  return { send, session, run: of.isUpload ? upload : mutation, stop: upload.cancel }
}

/** At most this much of an answer is shown, in characters. */
const most = 50_000

const Answer = ({ of, run }: { readonly of: Entry; readonly run: ReturnType<typeof useSend>["run"] }) => {
  const [data, reveal] = useConcealed(run.status === "success" ? run.data : undefined)
  if (run.status === "error") return <Note tone="bad">{explain(run.error).title}.</Note>
  if (run.status !== "success") return null
  if (of.isDownload) return <Note tone="good">Saved as a file: {size(Number(run.data))}.</Note>
  const text = data === undefined ? "No content" : JSON.stringify(data, null, 2)
  return (
    <Card title="Answer" action={reveal ?? <Badge tone="good">Done</Badge>}>
      <Source label="Answer" text={text.length > most ? `${text.slice(0, most)}\n…` : text} />
    </Card>
  )
}

/** Ids of rows, chosen by their names; typed where the platform does not list them, or lists too many. */
const Linked = (props: ChoiceProps & { readonly from: Resource }): ReactElement => {
  const { from, isMany, ...field } = props
  const { data } = useQuery(someOf(from))
  const { items = [], paging } = data ?? {}
  if (items.length === 0 || (paging?.total ?? 0) > items.length) return <TextField {...field} />
  const choices = items.map((item, index) => {
    const row = rowOf(from, item, index)
    return { value: row._id, label: choiceOf(from.name, row) }
  })
  const { onChange, value, ...labelled } = field
  return isMany ? (
    <MultiSelect
      {...labelled}
      choices={choices}
      value={value.split(",").flatMap((id) => id.trim() || [])}
      onChange={(ids) => onChange(ids.join(", "))}
    />
  ) : (
    <Select {...field} choices={[{ value: "", label: "—" }, ...choices]} />
  )
}

export interface CallFormOptions
  extends Partial<Pick<SchemaFormOptions, "draft" | "fixedInput" | "initial" | "onSuccess" | "present">> {
  readonly of: Entry
  /** What its body takes, where that is known here better than by its name alone. */
  readonly body?: AST.AST
  /** What the row is called that it is about. */
  readonly row?: string | undefined
  /** Whether its body is written as JSON, and sent as it is. */
  readonly isRaw?: boolean
  /** What a download is saved as. */
  readonly fileName?: string | undefined
  /** What the button says. */
  readonly verb?: string
}

/** The form of a call, what came of the latest run, and the input as far as it is filled in. */
export const useCallForm = (options: CallFormOptions) => {
  const { body, fileName, fixedInput, initial, isRaw = false, of, row, verb } = options
  const { draft = `${of.key}/${JSON.stringify(fixedInput ?? initial)}${isRaw ? "/raw" : ""}` } = options
  const payload = isRaw ? AST.unknownKeyword : (body ?? payloadOf(of))
  const { run, send, session, stop } = useSend(of, fileName, row, isRaw)
  const { controls, form, input } = useSchemaForm({
    ...options,
    fields: of.fields.map((field) =>
      field.name === "payload" && payload ? { ...field, ast: payload } : field
    ),
    // A file cannot be kept.
    draft: of.isUpload ? undefined : draft,
    choose: (name, props) => {
      const from =
        body === undefined &&
        linkedOf(of.audience, name === "id" && of.name === "content.create" ? "modelId" : name)
      return from ? <Linked {...props} from={from} /> : undefined
    },
    submit: send
  })
  const element = (
    <Form of={form}>
      {controls}
      {run.status === "uploading" && (
        <div className="row">
          <progress aria-label="Uploading" max={1} value={run.progress} />
          <span>Uploading{run.progress === undefined ? "" : ` · ${Math.round(run.progress * 100)}%`}</span>
          <Button onClick={stop}>Stop</Button>
        </div>
      )}
      {!session.can(of.call) ? (
        <Note tone="warn">
          {session.status === "signed-in"
            ? "Your role does not allow this call."
            : `Nobody is signed in as ${labelOf(of.audience).toLowerCase()}. Choose someone under “View as”.`}
        </Note>
      ) : (
        <Button kind="primary" type="submit" busy={form.busy}>
          {verb ?? (of.isRead ? "Send" : "Send (changes data)")}
        </Button>
      )}
    </Form>
  )
  const title = run.status === "error" ? explain(run.error).title : undefined
  // The next sign-in ends that.
  const isOver = title === signedOut && session.status === "signed-in" && session.refusal === undefined
  const answer = <div role="status">{!isOver && <Answer of={of} run={run} />}</div>
  return { form: element, answer, input }
}
