/** Every call as it happens, with what was sent and received, and every drift. */

import { har } from "@quartet/sdk/extend"
import * as React from "react"
import type { WireAction } from "../options.js"
import type { Wire as Given, WireCall, WireDrift } from "../wire.js"
import {
  Button,
  Item,
  isMatch,
  type Line,
  List,
  Search,
  type Shared,
  Source,
  type Tone,
  time
} from "./parts.js"

const statusOf = ({ ending }: WireCall): readonly [status: string, tone: Tone] => {
  if (ending === undefined) return ["…", "busy"]
  switch (ending._tag) {
    case "Failed":
      return [ending.sent ? "Lost" : "Offline", "bad"]
    case "Unreadable":
      return ["Cut off", "bad"]
    case "Abandoned":
      return ["Stopped", "calm"]
    default:
      return [`${ending.status}`, ending.status < 300 ? "good" : ending.status < 500 ? "warn" : "bad"]
  }
}

const lineOf = (line: WireCall | WireDrift): Line => {
  if ("came" in line) {
    const about = `${line.path || "the whole answer"}: received ${line.came}`
    return { badge: "Drift", tone: "warn", name: line.operation, side: "", about }
  }
  const [badge, tone] = statusOf(line)
  const side = `${time(line.at)} · ${line.duration ?? "…"} ms, attempt ${line.attempt}`
  return { badge, tone, name: line.operation, side, about: `${line.method} ${line.path}` }
}

/** An address as people write it; one that is cut within a character stays. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path.replaceAll("+", " "))
  } catch {
    return path
  }
}

const copyAsCurl: WireAction = {
  label: "Copy as curl",
  run: async (call) => {
    const { curlOf } = await import("@quartet/sdk/extend/description/samples")
    await navigator.clipboard.writeText(curlOf(call))
    return "Copied. Fill in the secrets yourself."
  }
}

interface Props extends Shared {
  readonly wire: Given
  readonly wireActions?: ReadonlyArray<WireAction> | undefined
}

const Call = ({ call, say, wireActions = [] }: Omit<Props, "wire"> & { readonly call: WireCall }) => {
  const { at, body, ending, headers, method, path, source } = call
  const answered = ending?._tag === "Answered" ? ending : undefined
  const about = [
    ...(source === "" ? [] : [`${source} client`]),
    time(at),
    ...(answered === undefined ? [] : [`${answered.bytes.toLocaleString("en-GB")} bytes received`])
  ]
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const failure = ending?._tag === "Failed" ? `No answer (${ending.reason})` : ""
  const offered = [copyAsCurl, ...wireActions].filter(({ isOffered }) => isOffered?.(call) !== false)
  return (
    <>
      <p className="faint">{about.join(", ")}</p>
      <div className="row">
        {offered.map(({ label, run }) => (
          <Button
            key={label}
            onClick={() =>
              run(call).then(
                (text) => say(text ?? ""),
                (cause: unknown) => say(String(cause))
              )
            }
          >
            {label}
          </Button>
        ))}
      </div>
      <Source title="Address" text={`${method} ${path}`} />
      <Source title="Headers sent" text={sent.join("\n")} />
      <Source title="Body sent" text={body} />
      <Source title="Answer" text={answered?.body ?? ""} />
      <Source title="Failure" text={failure} />
    </>
  )
}

const save = (calls: ReadonlyArray<WireCall>): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([har(calls)], { type: "application/json" }))
  link.download = "wire.har"
  link.click()
  // Not at once: the browser may not have begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

export const Wire = ({ wire, ...shared }: Props) => {
  const [search, setSearch] = React.useState("")
  const [source, setSource] = React.useState("")
  const all = wire.lines()
  const sources = [...new Set(all.map((line) => line.source))].sort()
  const shown = all
    .map((line) => ({ line, head: lineOf(line) }))
    .filter(
      ({ head, line }) =>
        (source === "" || line.source === source) &&
        isMatch(search, head.badge, head.name, decoded(head.about), "came" in line ? "" : line.body)
    )
  const calls = shown.flatMap(({ line }) => ("came" in line ? [] : [line]))
  const tools = (
    <>
      <Search label="Find calls" value={search} onChange={setSearch} />
      {sources.length > 1 && (
        <select aria-label="Client" value={source} onChange={({ target }) => setSource(target.value)}>
          <option value="">All clients</option>
          {sources.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Button disabled={calls.length === 0} onClick={() => save(calls)}>
        Save as HAR
      </Button>
      <Button disabled={all.length === 0} onClick={wire.clear}>
        Clear
      </Button>
      <p className="faint">Secrets are masked.</p>
    </>
  )
  return (
    <List
      label="Calls"
      tools={tools}
      empty={all.length === 0 ? "No calls yet." : "No calls match."}
      items={shown}
    >
      {({ head, line }) => (
        <Item key={line.key} line={head}>
          {() =>
            "came" in line ? (
              <p>
                {line.source === "" ? "" : `${line.source} client: `}expected {line.expected}, got {line.came}
                . The answer was not refused.
              </p>
            ) : (
              <Call {...shared} call={line} />
            )
          }
        </Item>
      )}
    </List>
  )
}
