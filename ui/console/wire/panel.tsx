/** The wire panel: every call as it happens, with the details of what was sent and received. */
import { type ReactElement, useState } from "react"
import type { Audience } from "../../../core/kernel/operation/operation.js"
import { useCellValue, useSetCell } from "../app/cells.js"
import { saveFile } from "../app/save.js"
import { addToast, warn } from "../app/toasts.js"
import { viewers } from "../app/viewer.js"
import { Button, IconButton } from "../design/button.js"
import { Confirm } from "../design/dialog.js"
import { SearchField, Segmented } from "../design/field.js"
import layout from "../design/layout.module.css"
import { Badge, size, type Tone } from "../design/show.js"
import { Empty } from "../design/state.js"
import typography from "../design/typography.module.css"
import { harOf } from "./har.js"
import { clear, type DriftRow, isOpen, type Row, rows } from "./log.js"
import styles from "./panel.module.css"

const choices = [
  { value: "all", label: "All" },
  { value: "admin", label: "Admin" },
  { value: "public", label: "Visitor" },
  { value: "endUser", label: "End user" },
  { value: "private", label: "Server" }
] as const

const toneOf = (status: number): Tone => (status < 300 ? "good" : status < 500 ? "warn" : "bad")

const Status = ({ row }: { readonly row: Row }): ReactElement => {
  const { ending } = row
  if (ending === undefined) return <Badge>…</Badge>
  if (ending._tag === "Failed") return <Badge tone="bad">{ending.sent ? "Lost" : "Offline"}</Badge>
  if (ending._tag === "Unreadable") return <Badge tone="bad">Cut off</Badge>
  if (ending._tag === "Abandoned") return <Badge>Stopped</Badge>
  return <Badge tone={toneOf(ending.status)}>{ending.status}</Badge>
}

const nameOf = (audience: Audience): string =>
  viewers.find((viewer) => viewer.audience === audience)?.label ?? audience

const Part = (props: { readonly title: string; readonly text: string }): ReactElement | null =>
  props.text === "" ? null : (
    <div>
      <h3>{props.title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre className={typography.code} tabIndex={0}>
        {props.text}
      </pre>
    </div>
  )

const copyStyles = { curl: "curl", effect: "Effect", promise: "Promise" } as const

/** A row's call as text. How that is written, and all operations, are loaded on the first use. */
const textOf = async (row: Row, style: keyof typeof copyStyles): Promise<string> => {
  const [{ codeOf, curlOf, inputOf }, { operations }] = await Promise.all([
    import("./code.js"),
    import("../../../core/catalogue.js")
  ])
  const declared = operations
    .filter(({ name }) => name === row.operation)
    .map((operation) => operation.declaration())
    .find(({ audiences }) => audiences.includes(row.audience))
  if (style === "curl" || declared === undefined) return curlOf(row)
  return codeOf(style, { ...row, declared, input: inputOf(declared, row) })
}

const copy = async (row: Row, style: keyof typeof copyStyles): Promise<void> => {
  try {
    await navigator.clipboard.writeText(await textOf(row, style))
    addToast("Copied", "Secrets have to be filled in.")
  } catch (error) {
    warn(error)
  }
}

/** What can be done with a call: copied, and sent again, a write only after a question. */
const CallActions = ({ row }: { readonly row: Row }): ReactElement => {
  const [asking, setAsking] = useState(false)
  const { replay } = row
  const send = (): void => {
    setAsking(false)
    replay?.()
  }
  return (
    <div className={layout.row}>
      {(["curl", "effect", "promise"] as const).map((style) => (
        <Button key={style} size="s" onClick={() => void copy(row, style)}>
          Copy as {copyStyles[style]}
        </Button>
      ))}
      {replay !== undefined && (
        <Button size="s" icon="refresh" onClick={row.method === "GET" ? send : () => setAsking(true)}>
          Send again
        </Button>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={send}
        title={`Send ${row.operation} again?`}
        description="It may change something a second time. Its answer appears as a new line of the wire."
        action="Send again"
      />
    </div>
  )
}

const Call = ({ row }: { readonly row: Row }): ReactElement => {
  const { attempt, body, duration, ending, headers, method, operation, path } = row
  const answered = ending?._tag === "Answered" ? ending : undefined
  return (
    <details className={styles.call}>
      <summary>
        <Status row={row} />
        <span className={styles.name}>
          <strong className={typography.truncate}>{operation}</strong>
          <span className={typography.truncate}>
            <b>{method}</b> {path}
          </span>
        </span>
        <span className={`${styles.figures} ${typography.number}`}>
          <span>{duration === undefined ? "…" : `${duration} ms`}</span>
          <span data-again={attempt > 1 || undefined}>attempt {attempt}</span>
        </span>
      </summary>
      <div className={styles.parts}>
        <p className={typography.faint}>
          {nameOf(row.audience)} client, {new Date(row.at).toLocaleTimeString("en-GB")}
          {answered === undefined ? "" : `, ${size(answered.bytes)} received`}
        </p>
        <CallActions row={row} />
        <Part title="Address" text={`${method} ${path}`} />
        <Part
          title="Headers sent"
          text={Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}
        />
        <Part title="Body sent" text={body} />
        <Part title="Answer" text={answered?.body ?? ""} />
        {ending?._tag === "Failed" && <Part title="Failure" text={`No answer (${ending.reason})`} />}
      </div>
    </details>
  )
}

/** What was received differently than declared. */
const Drifted = ({
  row: { audience, came, expected, operation, path }
}: {
  readonly row: DriftRow
}): ReactElement => (
  <details className={styles.call}>
    <summary>
      <Badge tone="warn">Drift</Badge>
      <span className={styles.name}>
        <strong className={typography.truncate}>{operation}</strong>
        <span className={typography.truncate}>
          {path === "" ? "the whole answer" : path}: {came} came
        </span>
      </span>
    </summary>
    <div className={styles.parts}>
      <p className={typography.faint}>
        {nameOf(audience)} client: expected {expected}, got {came}. The answer was not refused.
      </p>
    </div>
  </details>
)

/** Whether what a line shows contains the text. */
const matches = (row: Row | DriftRow, search: string): boolean =>
  ("came" in row
    ? `drift ${row.operation} ${row.path}`
    : `${row.operation} ${row.method} ${row.path} ${row.ending !== undefined && "status" in row.ending ? row.ending.status : ""}`
  )
    .toLowerCase()
    .includes(search)

/** The panel. It is beside the page if there is room, else above it. */
export const Panel = (): ReactElement => {
  const [audience, setAudience] = useState<(typeof choices)[number]["value"]>("all")
  const all = useCellValue(rows)
  const show = useSetCell(isOpen)
  const [search, setSearch] = useState("")
  const shown = all.filter(
    (row) => (audience === "all" || row.audience === audience) && matches(row, search.toLowerCase())
  )
  const calls = shown.filter((row): row is Row => !("came" in row))
  return (
    <aside className={styles.wire} aria-label="Wire">
      <header>
        <div>
          <h2>Wire</h2>
          <p className={typography.faint}>Every call as it happens. Secrets are masked.</p>
        </div>
        <Button
          size="s"
          kind="ghost"
          onClick={() => saveFile(harOf(calls), "wire.har", "application/json")}
          disabled={calls.length === 0}
        >
          Save as HAR
        </Button>
        <Button size="s" kind="ghost" onClick={clear} disabled={all.length === 0}>
          Clear
        </Button>
        <IconButton icon="close" size="s" label="Close the wire panel" onClick={() => show(false)} />
      </header>
      <div className={styles.filter}>
        <Segmented label="Calls of" value={audience} choices={choices} onChange={setAudience} />
        <SearchField label="Find calls" value={search} onChange={setSearch} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.list} tabIndex={0} aria-label="Calls">
        {shown.length === 0 ? (
          <Empty icon="wire" title={all.length === 0 ? "Nothing yet" : "Nothing found"}>
            {all.length === 0
              ? "Do something in the console: each call that it makes appears here."
              : "No call matches what you look for."}
          </Empty>
        ) : (
          <ol>
            {shown.map((row) => (
              <li key={row.key}>{"came" in row ? <Drifted row={row} /> : <Call row={row} />}</li>
            ))}
          </ol>
        )}
      </section>
    </aside>
  )
}
