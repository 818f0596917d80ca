/** The form of any call: its fields, what is asked before it is sent, its progress, and what came of it. */

import { useMutation, useQuery, useSession, useUpload } from "@quartet/react"
import type { WireCall } from "@quartet/react/devtools"
import { isCallError } from "@quartet/sdk/extend"
import { passed } from "@quartet/sdk/extend/description"
import * as AST from "effect/SchemaAST"
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react"
import { type Ended, Form } from "../data/form.js"
import { type ChoiceProps, type SchemaFormOptions, useSchemaForm } from "../data/schema-form.js"
import { Button } from "../design/button.js"
import { CopyButton } from "../design/copy.js"
import { ask } from "../design/dialog.js"
import { MultiSelect, Select, TextField } from "../design/field.js"
import { number, size } from "../design/format.js"
import { Badge, Kbd, Source } from "../design/show.js"
import { Note } from "../design/state.js"
import { Part } from "../frame/detail.js"
import { latestExchange } from "../wire/log.js"
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
  const [exchange, setExchange] = useState<WireCall>()
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
    const before = latestExchange(of.audience, of.name)
    const outcome = await start(isRaw ? passed(of.fields, input) : input)
    const latest = latestExchange(of.audience, of.name)
    setExchange(latest === before ? undefined : latest)
    if (outcome.status === "cancelled")
      addToast("Stopped", "It may have been saved anyway. Check before you send it again.")
    return outcome
  }
  return { send, session, exchange, run: of.isUpload ? upload : mutation, stop: upload.cancel }
}

/** Whether anything was sent: what is refused before is said beside its field. */
const isSent = (ended: Ended): boolean => !(isCallError(ended.error) && ended.error._tag === "InputError")

/** At most this much of an answer is shown, in characters. */
const most = 50_000

/** The text of an answer, as much of it as is shown. */
const Text = ({ text }: { readonly text: string }): ReactElement => (
  <Source label="Text of the answer" text={text.length > most ? `${text.slice(0, most)}\n…` : text} isLong />
)

/** How many rows an answer holds; undefined where it is no list. */
const rowsIn = (data: unknown): number | undefined => {
  const { items } = Object(data)
  const rows = Array.isArray(data) ? data : items
  return Array.isArray(rows) ? rows.length : undefined
}

interface Answered extends Pick<ReturnType<typeof useSend>, "exchange" | "run"> {
  readonly of: Entry
}

/** What came of a call, in one line. */
const saidOf = ({ of, run }: Answered): string => {
  if (run.status === "error") {
    const { advice, title } = explain(run.error)
    const said = [title, advice].filter(Boolean).join(". ")
    if (title === signedOut || !isCallError(run.error)) return said
    // Whoever builds on the platform knows the error by its tag, and by the platform's own words.
    const { serverMessage } = Object(run.error)
    return `${run.error._tag}: ${serverMessage ?? said}`
  }
  if (run.status !== "success") return ""
  if (of.isDownload) return `Saved as a file: ${size(Number(run.data))}.`
  const rows = rowsIn(run.data)
  return rows === undefined ? "Done" : rows === 1 ? "Done, 1 row" : `Done, ${number(rows)} rows`
}

/** The status of an exchange, and how long it took. */
const Head = ({ exchange, run }: Omit<Answered, "of">): ReactNode => {
  const { duration = 0, ending } = exchange ?? {}
  return (
    <>
      {ending && "status" in ending && (
        <Badge tone={run.status === "error" ? "bad" : "good"}>{ending.status}</Badge>
      )}
      {exchange && <span className="quiet tabular-nums">{number(Math.round(duration))} ms</span>}
    </>
  )
}

/** What came of a call, in sight as soon as it is there. */
const Answer = (props: Answered): ReactNode => {
  const { exchange, of, run } = props
  const [data, reveal] = useConcealed(run.status === "success" ? run.data : undefined)
  const { ending } = exchange ?? {}
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void place.current?.scrollIntoView({ block: "nearest" })
  }, [exchange])
  if (run.status !== "error" && run.status !== "success") return null
  const isShort = run.status === "error" || of.isDownload
  const failure = ending?._tag === "Answered" ? ending.body : ""
  const answered = data === undefined ? "" : JSON.stringify(data, null, 2)
  const text = run.status === "error" ? failure : of.isDownload ? "" : answered
  return (
    <div ref={place} className="scroll-mt-4">
      <Part
        title="Answer"
        tools={
          <>
            <Head {...props} />
            {reveal}
            {text !== "" && <CopyButton text={text} what="the answer" />}
          </>
        }
      >
        {isShort && <Note tone={run.status === "error" ? "bad" : "good"}>{saidOf(props)}</Note>}
        {(text !== "" || !isShort) && <Text text={text || "No content"} />}
      </Part>
    </div>
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
  /** The keys that send it. */
  readonly keys?: string
}

/** The form of a call, what came of the latest run, and the input as far as it is filled in, undefined where a text is none. */
export const useCallForm = (options: CallFormOptions) => {
  const { body, fileName, fixedInput, initial, isRaw = false, keys, of, onSuccess, row, verb } = options
  const { draft = `${of.key}/${JSON.stringify(fixedInput ?? initial)}${isRaw ? "/raw" : ""}` } = options
  const payload = isRaw ? AST.unknownKeyword : (body ?? payloadOf(of))
  const { exchange, run, send, session, stop } = useSend(of, fileName, row, isRaw)
  const { controls, form, input, isReadable } = useSchemaForm({
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
    submit: async (input) => {
      const outcome = await send(input)
      // Without a next step, what came of it stands below the form.
      return onSuccess === undefined && outcome?.status === "error"
        ? { ...outcome, isShown: isSent(outcome) }
        : outcome
    }
  })
  const title = run.status === "error" ? explain(run.error).title : undefined
  // The next sign-in ends that.
  const isOver = title === signedOut && session.status === "signed-in" && session.refusal === undefined
  // What was never sent is said beside its field.
  const isAnswered = !isOver && isSent(run)
  const answered = { of, run, exchange }
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
          {keys && (
            <span aria-hidden="true">
              <Kbd keys={keys} />
            </span>
          )}
        </Button>
      )}
      <p className="sr-only" role="status">
        {isAnswered && saidOf(answered)}
      </p>
    </Form>
  )
  const answer = isAnswered && <Answer {...answered} />
  return { form: element, answer, input: isReadable ? input : undefined }
}
