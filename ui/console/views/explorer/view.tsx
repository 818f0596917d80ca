/** The API explorer: every call of every client with its form and what it needs, sent live, and shown as code. */

import { type Audience, callOf, Levels as Level } from "@quartet/sdk/extend"
import { errorsOf, type ShownField, samplesOf, shownFields, takesRaw } from "@quartet/sdk/extend/description"
import { Link, pushUnsafe } from "@swan-io/chicane"
import * as Arr from "effect/Array"
import { type ReactElement, useRef, useState } from "react"
import { useCallForm } from "../../app/call-form.js"
import { type Entry, entries, entryOf, groupOf, type Values } from "../../app/catalogue.js"
import { settings } from "../../app/config.js"
import { Router } from "../../app/routes.js"
import { addToast } from "../../app/toasts.js"
import { audiencesOr, labelOf } from "../../app/viewer.js"
import { onStep } from "../../data/list-state.js"
import { Button } from "../../design/button.js"
import { SearchField, Segmented, Select } from "../../design/field.js"
import { Badge, Card, FactList, PageHead, Source, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"

const Code = ({
  input,
  isRaw,
  of
}: {
  readonly of: Entry
  readonly input: Values
  readonly isRaw: boolean
}) => {
  const [language, setLanguage] = useState("curl")
  const { audience, declared, name: operation } = of
  const samples = samplesOf({ audience, operation, declared, input, isRaw }, settings)
  const text = samples.find(({ label }) => label === language)?.source ?? ""
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    addToast("Copied")
  }
  return (
    <Card
      title="As code"
      action={
        <Button size="s" disabled={text === ""} onClick={() => void copy()}>
          Copy
        </Button>
      }
    >
      <div className="stack">
        <Segmented
          label="Language"
          value={language}
          choices={samples.map(({ label }) => ({ value: label, label }))}
          onChange={setLanguage}
        />
        <Source label="Code" text={text || "The client would refuse this input."} />
      </div>
    </Card>
  )
}

/** A docstring, whose names stand in backticks. */
const marked = (about: string): ReadonlyArray<ReactElement | string> =>
  // What stands between the first and the second is the second part.
  about.split("`").map((part, at) => (at % 2 === 1 ? <code key={`${at} ${part}`}>{part}</code> : part))

const Fields = ({ of, title }: { readonly title: string; readonly of: ReadonlyArray<ShownField> }) =>
  of.length > 0 && (
    <details>
      <summary>{title}</summary>
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

const Call = ({ initial, isRaw, of, setRaw }: CallProps) => {
  const { answer, form, input } = useCallForm({ of, initial, isRaw })
  const { host, method, path, requires } = of.declared
  const level = Object.entries(Level).find(([, known]) => known === requires)?.[0]
  const shown = shownFields(of)
  const body = shown.body.map((field) => ({ ...field, name: `payload.${field.name}` }))
  return (
    <div className="stack">
      <Card title={of.name} about={of.summary}>
        <div className="stack">
          <FactList
            of={[
              ["Client", labelOf(of.audience)],
              [
                "Request",
                <>
                  <code>
                    {method} /{path}
                  </code>
                  {host === "legacy" && <Badge>legacy</Badge>}
                </>
              ],
              ["Permission", level === undefined ? "None" : `${level} on ${of.name}`]
            ]}
          />
          <details>
            <summary>Can fail with</summary>
            <p className="quiet">
              {errorsOf(of.declared, of.audience)
                .map(({ tag }) => tag)
                .join(", ")}
            </p>
          </details>
          <Fields title="Fields of the input" of={[...shown.input, ...body]} />
          <Fields title="Fields of the answer" of={shown.answer} />
          {of.fields.some((field) => field.place === "payload" && takesRaw(field)) && (
            <label className="row">
              <input type="checkbox" checked={isRaw} onChange={({ target }) => setRaw(target.checked)} />
              Write the body as JSON, and send it as it is, also with fields that are not known
            </label>
          )}
          {form}
        </div>
      </Card>
      {answer}
      <Code of={of} input={input} isRaw={isRaw} />
    </div>
  )
}

const choices = audiencesOr("All clients")

const linkClass =
  "flex items-baseline gap-2 rounded-sm px-2 py-1.25 text-sm text-ink no-underline max-lg:min-h-11 max-lg:items-center hover:bg-accent/12 aria-[current]:bg-accent/12 aria-[current]:shadow-[inset_2px_0_var(--color-accent-text)]"

/** The list of calls, by what they are about. */
const Calls = ({ current }: { readonly current: string | undefined }): ReactElement => {
  const folded = useRef<HTMLDetailsElement>(null)
  const [search, setSearch] = useState("")
  const [audience, setAudience] = useState<"all" | Audience>("all")
  const query = search.toLowerCase()
  const matches = entries.filter(
    (entry) =>
      (audience === "all" || entry.audience === audience) &&
      `${entry.key} ${entry.summary} ${entry.declared.path}`.toLowerCase().includes(query)
  )
  return (
    // Folded on narrow screens alone.
    <details
      ref={folded}
      className="details-content:grid lg:sticky lg:top-0 details-content:gap-4 lg:details-content:[content-visibility:visible]"
    >
      <summary className="lg:hidden">Calls</summary>
      <SearchField label="Find a call" value={search} onChange={setSearch} />
      <Select label="Calls of" hideLabel value={audience} choices={choices} onChange={setAudience} />
      <p className="faint" role="status">{`${matches.length} of ${entries.length} calls`}</p>
      <nav className="max-h-[calc(100vh-18rem)] space-y-4 overflow-auto" aria-label="Calls">
        {Object.entries(Arr.groupBy(matches, groupOf))
          .sort()
          .map(([group, calls]) => (
            <section key={group} aria-label={words(group)}>
              <h2 className="text-2xs text-muted">{words(group)}</h2>
              <ul>
                {calls.map((entry) => (
                  <li
                    key={entry.key}
                    ref={
                      entry.key === current ? (row) => row?.scrollIntoView({ block: "nearest" }) : undefined
                    }
                  >
                    <Link
                      className={linkClass}
                      to={Router.Explorer({ call: entry.key })}
                      onClick={onStep(() => {
                        folded.current?.removeAttribute("open")
                        pushUnsafe(Router.Explorer({ call: entry.key }))
                      })}
                      aria-current={entry.key === current ? "page" : undefined}
                    >
                      <b className="w-12 flex-none text-2xs text-muted">{entry.declared.method}</b>{" "}
                      {callOf(entry.name)}{" "}
                      <small className="ml-auto text-2xs text-muted">
                        {labelOf(entry.audience).toLowerCase()}
                      </small>
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </nav>
    </details>
  )
}

const Explorer = (): ReactElement => {
  const { call, id } = Router.useRoute(["Explorer"])?.params ?? {}
  const entry = entryOf(call ?? "admin.users.list")
  const [rawCall, setRawCall] = useState<string>()
  // A link from a row fills in its id.
  const initial: Values = id !== undefined && entry?.fields.some(({ name }) => name === "id") ? { id } : {}
  return (
    <>
      <PageHead
        title="Explorer"
        about="Every call of the platform: send it here, or take it along as code."
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <Calls current={entry?.key} />
        {entry === undefined ? (
          <Empty icon="search" title={`There is no call “${call}”`}>
            <Link to={Router.Explorer()}>Choose one that there is</Link>
          </Empty>
        ) : (
          <Call
            // Another form begins with its own fields.
            key={`${entry.key} ${id} ${rawCall === entry.key}`}
            of={entry}
            initial={initial}
            isRaw={rawCall === entry.key}
            setRaw={(isRaw) => setRawCall(isRaw ? entry.key : undefined)}
          />
        )}
      </div>
    </>
  )
}

export default Explorer
