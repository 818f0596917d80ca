/** The entries of an outbox. */
import { useRxValue } from "@effect-rx/rx-react"
import type { Registry } from "../../rx/registry.js"
import type { InspectedEntry, InspectedOutbox } from "../options.js"
import { inputText } from "../text.js"
import { Button, Item, List, type Shared, Source, span, type Tone, time } from "./parts.js"

const tones: Readonly<Record<InspectedEntry["state"], Tone>> = {
  queued: "calm",
  sending: "busy",
  unknown: "warn",
  failed: "bad"
}

interface Props extends Shared {
  readonly outbox: InspectedOutbox
  readonly registry: Registry
}

const Details = ({ entry, outbox, registry, say }: Props & { readonly entry: InspectedEntry }) => {
  const { attempts, behind, error, id, idempotencyKey, input, state } = entry
  const act = (name: "discard" | "retry") => () => {
    outbox
      .actions(registry)
      [name](id)
      .then(
        ({ status }) => say(`${name === "retry" ? "Sending again" : "Discarding"}: ${status}`),
        (cause: unknown) => say(String(cause))
      )
  }
  const about = [
    `written at ${time(entry.at.getTime())}`,
    attempts === 1 ? "sent once" : `sent ${attempts} times`,
    `idempotency key ${idempotencyKey}`,
    ...(behind === undefined ? [] : [`waits behind ${behind}`])
  ]
  return (
    <>
      <p className="faint">{about.join(", ")}</p>
      <div className="row">
        <Button disabled={state !== "failed" && state !== "unknown"} onClick={act("retry")}>
          Send again
        </Button>
        <Button disabled={state === "sending"} onClick={act("discard")}>
          Discard
        </Button>
      </div>
      <Source title="Error" text={error === undefined ? "" : `${error._tag}: ${error.message}`} />
      <Source title="Input" text={inputText(input)} />
    </>
  )
}

export const Outbox = (props: Props) => {
  const { entries, error, others, status } = useRxValue(props.outbox)
  const left = others === 0 ? "" : ` ${others} of other people on this device are not shown.`
  const about =
    status === "error" ? (error?.message ?? "") : `Writes that the platform has not done yet.${left}`
  return (
    <List
      label="Entries of the outbox"
      tools={<p className={status === "error" ? "bad" : "faint"}>{about}</p>}
      empty={status === "loading" ? "It is being read." : "Nothing waits."}
    >
      {entries.map((entry) => (
        <Item
          key={entry.id}
          line={{
            badge: entry.state,
            tone: tones[entry.state],
            name: entry.operation,
            side: `${span(Date.now() - entry.at.getTime())} old`,
            about: inputText(entry.input).replaceAll(/\s+/g, " ")
          }}
        >
          {() => <Details {...props} entry={entry} />}
        </Item>
      ))}
    </List>
  )
}
