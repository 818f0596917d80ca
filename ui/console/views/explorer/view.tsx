/** The API explorer: every call of every client with its form and what it needs, sent live, and shown as code. */

import { type Audience, Levels as Level } from "@quartet/sdk/extend"
import { errorsOf, type ShownField, samplesOf, shownFields, takesRaw } from "@quartet/sdk/extend/description"
import { type ReactElement, useMemo, useRef, useState } from "react"
import { useCallForm } from "../../app/call-form.js"
import { type Entry, entries, entryOf, groupOf, type Values } from "../../app/catalogue.js"
import { useCommands } from "../../app/commands.js"
import { settings } from "../../app/config.js"
import { Router } from "../../app/routes.js"
import { audiencesOr, labelOf } from "../../app/viewer.js"
import { useListState } from "../../data/list-state.js"
import { Button } from "../../design/button.js"
import { CopyButton } from "../../design/copy.js"
import { Segmented, Select } from "../../design/field.js"
import { Badge, FactList, Source, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import { Detail, Part } from "../../frame/detail.js"
import { Workplace } from "../../frame/workplace.js"

const Code = ({
  input,
  isRaw,
  of
}: {
  readonly of: Entry
  /** Undefined where what is written is none. */
  readonly input: Values | undefined
  readonly isRaw: boolean
}) => {
  const [language, setLanguage] = useState("curl")
  const { audience, declared, name: operation } = of
  const samples = samplesOf({ audience, operation, declared, input: input ?? {}, isRaw }, settings)
  const sample = samples.find(({ label }) => label === language)?.source ?? ""
  const text = input === undefined ? "" : sample
  return (
    <Part title="As code" tools={text !== "" && <CopyButton text={text} what="the code" />}>
      <div className="stack">
        <Segmented
          label="Language"
          value={language}
          choices={samples.map(({ label }) => ({ value: label, label }))}
          onChange={setLanguage}
        />
        {text === "" ? (
          <p className="quiet">
            {input === undefined
              ? "Part of the form is not JSON. Correct it to see the code."
              : "The client would refuse this input. Complete the form to see the code."}
          </p>
        ) : (
          <Source label="Code" text={text} />
        )}
      </div>
    </Part>
  )
}

/** A docstring, whose names stand in backticks. */
const marked = (about: string): ReadonlyArray<ReactElement | string> =>
  // What stands between the first and the second is the second part.
  about.split("`").map((part, at) => (at % 2 === 1 ? <code key={`${at} ${part}`}>{part}</code> : part))

const Fields = ({ of, title }: { readonly title: string; readonly of: ReadonlyArray<ShownField> }) =>
  of.length > 0 && (
    <details className="text-sm">
      <summary className="fold">{title}</summary>
      <FactList
        of={of.map(({ about, kind, name }) => [
          name,
          <>
            {kind}
            {about === "" ? "" : ". "}
            {marked(about)}
          </>
        ])}
      />
    </details>
  )

interface CallProps {
  readonly initial: Values
  readonly of: Entry
  /** Whether the body is written as JSON, and sent as it is. */
  readonly isRaw: boolean
  readonly setRaw: (isRaw: boolean) => void
}

const Call = ({ initial, isRaw, of, setRaw }: CallProps): ReactElement => {
  const { answer, form, input } = useCallForm({ of, initial, isRaw, keys: "mod Enter" })
  const { host, method, path, requires } = of.declared
  const level = Object.entries(Level).find(([, known]) => known === requires)?.[0]
  const shown = shownFields(of)
  const body = shown.body.map((field) => ({ ...field, name: `payload.${field.name}` }))
  const place = useRef<HTMLDivElement>(null)
  const send = (): void => place.current?.querySelector("form")?.requestSubmit()
  useCommands([{ label: "Send", icon: "send", keys: "mod Enter", run: send }])
  return (
    <Detail
      title={of.name}
      about={marked(of.summary)}
      actions={
        <>
          <code className="text-sm wrap-anywhere">
            {method} /{path}
          </code>
          {host === "legacy" && <Badge>legacy</Badge>}
          <Badge>{labelOf(of.audience)}</Badge>
          <span className="faint">
            {level === undefined ? "No permission needed" : `Needs ${level.toLowerCase()} on ${of.name}`}
          </span>
        </>
      }
    >
      <div className="explorer">
        <div className="stack" ref={place}>
          {of.fields.some((field) => field.place === "payload" && takesRaw(field)) && (
            <label className="flex items-start gap-2 text-sm">
              <input type="checkbox" checked={isRaw} onChange={({ target }) => setRaw(target.checked)} />
              Write the body as JSON and send it as it is, including unknown fields
            </label>
          )}
          {form}
        </div>
        <div className="stack">
          {answer}
          <Code of={of} input={input} isRaw={isRaw} />
          <Fields title="Fields of the input" of={[...shown.input, ...body]} />
          <Fields title="Fields of the answer" of={shown.answer} />
          <details className="text-sm">
            <summary className="fold">Possible errors</summary>
            <p className="quiet">
              {errorsOf(of.declared, of.audience)
                .map(({ tag }) => tag)
                .join(", ")}
            </p>
          </details>
        </div>
      </div>
    </Detail>
  )
}

const choices = audiencesOr("All clients")

type CallRow = Entry & { readonly _id: string }

/** All calls, those of one subject together. */
const rows: ReadonlyArray<CallRow> = entries
  .map((entry) => ({ ...entry, _id: entry.key }))
  .sort((left, right) => {
    const [one, other] = [groupOf(left), groupOf(right)]
    return one === other ? 0 : one < other ? -1 : 1
  })

const columns: ReadonlyArray<Column<CallRow>> = [
  { title: "Call", width: "fill", value: ({ name }) => name },
  { title: "About", from: "file", value: ({ name }) => words(groupOf({ name })) },
  {
    title: "Method",
    width: "xs",
    value: ({ declared }) => declared.method,
    cell: ({ declared }) => <code className="text-muted">{declared.method}</code>
  },
  { title: "Path", from: "file", value: ({ declared }) => declared.path },
  {
    title: "Client",
    width: "m",
    from: "s",
    value: ({ audience }) => labelOf(audience),
    cell: ({ audience }) => <span className="text-muted">{labelOf(audience)}</span>
  }
]

/** The calls are known: nothing is read. */
const refetch = (): void => undefined

const Explorer = (): ReactElement => {
  const { call, id: rowId } = Router.useRoute(["Explorer"])?.params ?? {}
  const state = useListState()
  const [audience, setAudience] = useState<"all" | Audience>("all")
  const [rawCall, setRawCall] = useState<string>()
  const search = (state.read("search") ?? "").toLowerCase()
  const items = useMemo(
    () =>
      rows.filter(
        (row) =>
          (audience === "all" || row.audience === audience) &&
          `${row.key} ${row.summary} ${row.declared.path}`.toLowerCase().includes(search)
      ),
    [audience, search]
  )
  const paging = { total: rows.length }
  return (
    <Workplace
      label="Explorer"
      of={{
        data: { paging },
        error: undefined,
        updatedAt: undefined,
        refetch,
        items,
        hasNextPage: false,
        fetchNextPage: refetch,
        isFetching: false
      }}
      state={state}
      id={call}
      to={(call) => state.href({ call, id: undefined })}
      nameOf={({ name }) => name}
      columns={columns}
      about={rows.length === 1 ? "1 call" : `${rows.length} calls`}
      search="Find a call"
      width={window.innerWidth >= 1440 ? 460 : 400}
      isPlain
      filters={<Select label="Client" hideLabel value={audience} choices={choices} onChange={setAudience} />}
      empty={<Empty icon="search" title="No call of this client" />}
    >
      {(_row, key) => {
        const entry = entryOf(key)
        if (entry === undefined)
          return (
            <Empty icon="search" title={`There is no call named “${key}”`}>
              <Button onClick={() => state.close(Router.Explorer())}>All calls</Button>
            </Empty>
          )
        // A link from a row fills in its id.
        const initial: Values =
          rowId !== undefined && entry.fields.some(({ name }) => name === "id") ? { id: rowId } : {}
        const isRaw = rawCall === entry.key
        return (
          <Call
            // Another form begins with its own fields.
            key={`${entry.key} ${rowId} ${isRaw}`}
            of={entry}
            initial={initial}
            isRaw={isRaw}
            setRaw={(isRaw) => setRawCall(isRaw ? entry.key : undefined)}
          />
        )
      }}
    </Workplace>
  )
}

export default Explorer
