/** The entries of an outbox. */

import { textsOf } from "@quartet/sdk/extend"
import type { Registry } from "../../rx/registry.js"
import { useValue } from "../../rx/value.js"
import type { InspectedEntry, InspectedOutbox } from "../options.js"
import { type Known, secretsIn } from "../secrets.js"
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

/** What a person tells an entry from others by. */
const nameOf = (entry: InspectedEntry, known: Known): string =>
  `${entry.operation} ${textsOf(entry, known).line}`

/** What is said of an action that was done. */
const done = { retry: "Queued. It will be sent in turn.", discard: "Discarded." }

const Details = ({
  before,
  entry,
  outbox,
  registry,
  say
}: Props & { readonly entry: InspectedEntry; readonly before: InspectedEntry | undefined }) => {
  const { attempts, error, id, idempotencyKey, state } = entry
  const known = registry.get(secretsIn)
  const texts = textsOf(entry, known)
  const act = (name: "discard" | "retry") => () => {
    outbox
      .actions(registry)
      [name](id)
      .then(
        ({ error, status }) =>
          say(
            status === "success"
              ? done[name]
              : (error?.message ??
                  "Nothing was done. The entry no longer exists, or its state does not allow this.")
          ),
        (cause: unknown) => say(String(cause))
      )
  }
  const about = [
    `written at ${time(entry.at.getTime())}`,
    attempts === 1 ? "sent once" : `sent ${attempts} times`,
    `idempotency key ${idempotencyKey}`,
    ...(before === undefined ? [] : [`waits behind ${nameOf(before, known)}`])
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
      <Source title="Error" text={error === undefined ? "" : texts.error(error)} />
      <Source title="Input" text={texts.input} />
    </>
  )
}

/** What is said where no entry is shown. */
const empties = {
  loading: "Loading.",
  ready: "Nothing is waiting.",
  error: "What is waiting is not known."
}

export const Outbox = (props: Props) => {
  const { entries, error, isBlocked, others, status } = useValue(props.outbox)
  const known = props.registry.get(secretsIn)
  const left = others === 0 ? "" : ` ${others} of other people on this device are not shown.`
  const blockedNotice = isBlocked ? " Another tab, whose turn it is to send, is suspended." : ""
  const about = error?.message ?? `Writes that the platform has not made yet.${left}${blockedNotice}`
  return (
    <List
      label="Entries of the outbox"
      tools={<p className={error === undefined ? "faint" : "bad"}>{about}</p>}
      empty={empties[status]}
      items={entries}
    >
      {(entry) => (
        <Item
          key={entry.id}
          line={{
            badge: entry.state,
            tone: tones[entry.state],
            name: entry.operation,
            side: `${span(Date.now() - entry.at.getTime())} old`,
            about: textsOf(entry, known).line
          }}
        >
          {() => <Details {...props} entry={entry} before={entries.find(({ id }) => id === entry.behind)} />}
        </Item>
      )}
    </List>
  )
}
