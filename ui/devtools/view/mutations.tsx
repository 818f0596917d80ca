/** The latest runs of mutations and uploads. */
import * as React from "react"
import type { Recorder, Run } from "../recorder.js"
import { Button, Item, isMatch, List, Search, Source, type Tone, time } from "./parts.js"

const tones: Readonly<Record<Run["status"], Tone>> = {
  pending: "busy",
  queued: "busy",
  success: "good",
  error: "bad",
  unknown: "warn",
  cancelled: "calm",
  discarded: "calm",
  defect: "bad"
}

export const Mutations = ({ recorder }: { readonly recorder: Recorder }) => {
  const [search, setSearch] = React.useState("")
  const shown = recorder.runs.filter(({ line, name, status }) => isMatch(search, name, line, status))
  const tools = (
    <>
      <Search label="Find runs" value={search} onChange={setSearch} />
      <Button disabled={recorder.runs.length === 0} onClick={() => recorder.clearRuns()}>
        Clear
      </Button>
    </>
  )
  const empty =
    recorder.runs.length === 0 ? "Nothing has run since the devtools were mounted." : "No runs match."
  return (
    <List label="Runs of mutations" tools={tools} empty={empty} items={shown}>
      {({ at, duration, id, input, line, name, status, text }) => (
        <Item
          key={id}
          line={{
            badge: status,
            tone: tones[status],
            name,
            side: duration === undefined ? "…" : `${duration} ms`,
            about: line
          }}
        >
          {() => (
            <>
              <p className="faint">Started at {time(at)}</p>
              <Source title="Input" text={input} />
              <Source title={status === "success" ? "Data" : "Error"} text={text} />
            </>
          )}
        </Item>
      )}
    </List>
  )
}
