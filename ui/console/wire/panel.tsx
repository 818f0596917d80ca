/** The wire panel: every call as it happens, with the details of what was sent and received. */
import { type ReactElement, useState } from "react"
import { har } from "../../../adapters/tap/har.js"
import type { Audience } from "../../../core/kernel/operation/operation.js"
import { registry, useCellValue, useSetCell } from "../app/cells.js"
import { settings } from "../app/config.js"
import { notLoaded } from "../app/explain.js"
import { saveFile } from "../app/save.js"
import { addToast, warn } from "../app/toasts.js"
import { audiencesOr, labelOf } from "../app/viewer.js"
import { Button, IconButton } from "../design/button.js"
import { ask } from "../design/dialog.js"
import { SearchField, Segmented } from "../design/field.js"
import { Badge, Scroll, Source, size, type Tone } from "../design/show.js"
import { Empty } from "../design/state.js"
import { clear, type DriftRow, isOpen, type Row, rows } from "./log.js"

const choices = audiencesOr("All")

/** What a line says in its head. */
const headOf = (row: Row | DriftRow): readonly [status: string, tone: Tone, about: string] => {
  if ("came" in row) return ["Drift", "warn", `${row.path || "the whole answer"}: ${row.came} came`]
  const about = `${row.method} ${row.path}`
  const { ending } = row
  if (ending === undefined) return ["…", "calm", about]
  if (ending._tag === "Failed") return [ending.sent ? "Lost" : "Offline", "bad", about]
  if (ending._tag === "Unreadable") return ["Cut off", "bad", about]
  if (ending._tag === "Abandoned") return ["Stopped", "calm", about]
  return [`${ending.status}`, ending.status < 300 ? "good" : ending.status < 500 ? "warn" : "bad", about]
}

/** An address as people write it; one that is cut within a character stays. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path.replaceAll("+", " "))
  } catch {
    return path
  }
}

/** What a line is found by: its head, and what was sent. */
const textOf = (row: Row | DriftRow): string => {
  const [status, , about] = headOf(row)
  const sent = "came" in row ? "" : `${decoded(row.path)} ${row.body}`
  return `${status} ${row.operation} ${about} ${sent}`.toLowerCase()
}

const styleNames = ["curl", "Effect", "Promise"]

/** What reads a row as a call, and all operations: loaded on the first use. */
const tools = () =>
  Promise.all([
    import("../../../adapters/openapi/samples.js"),
    import("../app/catalogue.js"),
    import("./input.js")
  ]).catch((cause: unknown) => {
    throw notLoaded(cause)
  })

const copy = async (row: Row, style: string): Promise<void> => {
  const [{ curlOf, samplesOf }, { entryOf }, { inputOf }] = await tools()
  const declared = entryOf(`${row.audience}.${row.operation}`)?.declared
  const samples =
    declared === undefined ? [] : samplesOf({ ...row, declared, input: inputOf(declared, row) }, settings)
  const sample = samples.find(({ label }) => label === style && label !== "curl")
  await navigator.clipboard.writeText(sample?.source ?? curlOf(row))
  addToast("Copied", "Secrets have to be filled in.")
}

/** Whether the wire shows all that was sent: neither a secret nor a file. */
const isWhole = ({ body, path }: Row): boolean => !/••/.test(path + body) && /^([[{"]|$)/.test(body)

/** What can be done with a call: copied, and sent again, a write only after a question. */
const CallActions = ({ row }: { readonly row: Row }): ReactElement => {
  const { audience, method, operation } = row
  const send = async (): Promise<void> => {
    const description = "It may change something a second time. Its answer appears as a new line of the wire."
    const title = `Send ${operation} again?`
    if (method !== "GET" && !(await ask({ title, description, action: "Send again" }))) return
    const [, { entryOf, sending }, { inputOf }] = await tools()
    const entry = entryOf(`${audience}.${operation}`)
    // It goes with the credentials that its client has now.
    if (entry !== undefined)
      void sending(entry).mutation.actions(registry).mutate(inputOf(entry.declared, row))
  }
  return (
    <div className="row">
      {styleNames.map((style) => (
        <Button key={style} size="s" onClick={() => copy(row, style).catch(warn)}>
          Copy as {style}
        </Button>
      ))}
      {isWhole(row) && (
        <Button size="s" icon="refresh" onClick={() => send().catch(warn)}>
          Send again
        </Button>
      )}
    </div>
  )
}

const Details = ({ row }: { readonly row: Row }): ReactElement => {
  const { at, audience, body, ending, headers, method, path } = row
  const answered = ending?._tag === "Answered" ? ending : undefined
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const parts = {
    Address: `${method} ${path}`,
    "Headers sent": sent.join("\n"),
    "Body sent": body,
    Answer: answered?.body ?? "",
    Failure: ending?._tag === "Failed" ? `No answer (${ending.reason})` : ""
  }
  return (
    <>
      <p className="faint">
        {labelOf(audience)} client, {new Date(at).toLocaleTimeString("en-GB")}
        {answered === undefined ? "" : `, ${size(answered.bytes)} received`}
      </p>
      <CallActions row={row} />
      {Object.entries(parts)
        .filter(([, text]) => text !== "")
        .map(([title, text]) => (
          <div key={title}>
            <h3>{title}</h3>
            <Source label={title} text={text} />
          </div>
        ))}
    </>
  )
}

const Line = ({ row }: { readonly row: Row | DriftRow }): ReactElement => {
  const [status, tone, about] = headOf(row)
  const isDrift = "came" in row
  return (
    <details className="border-b border-line">
      <summary className="grid cursor-pointer grid-cols-[4rem_minmax(0,1fr)_auto] gap-x-2 px-4 py-2 text-sm -outline-offset-2 *:first:row-span-2 *:first:justify-center *:first:self-start hover:bg-hover in-open:bg-hover">
        <Badge tone={tone}>{status}</Badge>
        <strong className="truncate">{row.operation}</strong>
        <span className="text-right text-2xs text-faint">{!isDrift && `${row.duration ?? "…"} ms`}</span>
        <code className="truncate text-2xs text-faint">{about}</code>
        {!isDrift && (
          <span className={`text-right text-2xs ${row.attempt > 1 ? "text-warn" : "text-faint"}`}>
            attempt {row.attempt}
          </span>
        )}
      </summary>
      <div className="stack px-4 pt-2 pb-4">
        {isDrift ? (
          <p className="faint">
            {labelOf(row.audience)} client: expected {row.expected}, got {row.came}. The answer was not
            refused.
          </p>
        ) : (
          <Details row={row} />
        )}
      </div>
    </details>
  )
}

/** The panel. It is beside the page if there is room, else above it. */
const Panel = (): ReactElement => {
  const [audience, setAudience] = useState<"all" | Audience>("all")
  const [search, setSearch] = useState("")
  const all = useCellValue(rows)
  const show = useSetCell(isOpen)
  const shown = all.filter((row) => {
    return textOf(row).includes(search.toLowerCase()) && (audience === "all" || row.audience === audience)
  })
  const calls = shown.filter((row): row is Row => !("came" in row))
  const save = (): void => saveFile(har(calls), "wire.har", "application/json")
  return (
    <aside
      className="flex flex-col border-l border-line bg-surface max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-40 max-xl:w-100 max-xl:max-w-full max-xl:shadow-lg print:hidden"
      aria-label="Wire"
    >
      <header className="row border-b border-line px-4 py-2.5">
        <div className="flex-1">
          <h2>Wire</h2>
          <p className="faint">Every call as it happens. Secrets are masked.</p>
        </div>
        <Button size="s" kind="ghost" onClick={save} disabled={calls.length === 0}>
          Save as HAR
        </Button>
        <Button size="s" kind="ghost" onClick={clear} disabled={all.length === 0}>
          Clear
        </Button>
        <IconButton icon="close" size="s" label="Close the wire panel" onClick={() => show(false)} />
        <Segmented label="Calls of" value={audience} choices={choices} onChange={setAudience} />
        <SearchField label="Find calls" value={search} onChange={setSearch} />
      </header>
      <Scroll label="Calls" className="flex-1">
        {shown.length === 0 && (
          <Empty icon="wire" title={all.length === 0 ? "Nothing yet" : "Nothing found"}>
            {all.length === 0
              ? "Do something in the console: each call that it makes appears here."
              : "No call matches what you look for."}
          </Empty>
        )}
        <ol>
          {shown.map((row) => (
            <li key={row.key}>
              <Line row={row} />
            </li>
          ))}
        </ol>
      </Scroll>
    </aside>
  )
}

export default Panel
