/** The chats of a registry: how their connections stand, and how they came there. */
import type { Recorder, Step } from "../recorder.js"
import { Button, Item, List, span, type Tone, time } from "./parts.js"

const tones: Readonly<Record<string, Tone>> = {
  connecting: "busy",
  connected: "good",
  reconnecting: "warn",
  failed: "bad"
}

const Steps = ({ steps }: { readonly steps: ReadonlyArray<Step> }) => (
  <ol className="faint">
    {steps.map(({ about, at, id, status }) => (
      <li key={id}>
        {time(at)} {status} {about}
      </li>
    ))}
  </ol>
)

export const Sockets = ({ recorder }: { readonly recorder: Recorder }) => (
  <List
    label="Chats"
    tools={<p className="faint">A chat is open while it is shown.</p>}
    empty="No chat was opened."
    items={[...recorder.chats]}
  >
    {(chat, place) => {
      const { connection, messages, outgoing } = chat.store.getState()
      const steps = recorder.stepsOf(chat)
      const failed = outgoing.filter(({ status }) => status === "failed").length
      const isOver = connection.status === "closed" || connection.status === "failed"
      return (
        <Item
          key={place}
          line={{
            badge: connection.status,
            tone: tones[connection.status] ?? "calm",
            name: `Chat ${place + 1}`,
            side: steps[0] === undefined ? "" : `since ${span(Date.now() - steps[0].at)}`,
            about: `${messages.length} messages, ${outgoing.length} on their way, ${failed} of them failed`
          }}
        >
          {() => (
            <>
              <div className="row">
                <Button disabled={!isOver} onClick={chat.reopen}>
                  Reconnect
                </Button>
              </div>
              <Steps steps={steps} />
            </>
          )}
        </Item>
      )
    }}
  </List>
)
