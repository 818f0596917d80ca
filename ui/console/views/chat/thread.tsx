/** One conversation: its messages as they arrive, and those being sent. */

import { useChat, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import { Fragment, type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from "react"
import { useWhole } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import type { ConversationRow } from "../../app/rows.js"
import { Form, useText } from "../../data/form.js"
import { Loaded } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { TextField } from "../../design/field.js"
import { day } from "../../design/format.js"
import { Card, CardFoot, Scroll, When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { draftOf, history, live } from "./data.js"
import { merge } from "./messages.js"

const Composer = (props: { readonly id: string; readonly onSend: (text: string) => void }): ReactElement => {
  const form = useText(draftOf(props.id), async (text) => {
    props.onSend(text)
    return { status: "success" }
  })
  return (
    <Form of={form} className="flex flex-1 gap-2 [&>:has(>input)]:flex-1">
      <TextField label="Message" hideLabel placeholder="Write a message…" {...form.field("text")} />
      <Button kind="primary" icon="send" type="submit">
        Send
      </Button>
    </Form>
  )
}

/** The line above the messages of a day. */
const Day = ({ date }: { readonly date: Date }): ReactElement => (
  <li className="flex items-center gap-3 text-xs text-muted before:flex-1 before:border-t before:border-line after:flex-1 after:border-t after:border-line">
    {day(date) === day(new Date()) ? "Today" : day(date)}
  </li>
)

const saidClass = {
  theirs: "justify-items-start self-start *:first:rounded-bl-sm *:first:bg-sunken",
  ours: "justify-items-end self-end *:first:rounded-br-sm *:first:bg-accent *:first:text-on-accent",
  unsent: "justify-items-end self-end *:first:rounded-br-sm *:first:bg-bad/12 *:first:text-bad"
}

/** A message, and below it who wrote it, or what became of it. */
const Said = (props: {
  readonly as: keyof typeof saidClass
  readonly text: string
  readonly children: ReactNode
}): ReactElement => (
  <li className={`grid max-w-[min(34rem,82%)] ${saidClass[props.as]}`}>
    <span className="rounded-lg px-3 py-1.75 text-sm wrap-anywhere">{props.text}</span>
    <span className="faint">{props.children}</span>
  </li>
)

export const Thread = (props: {
  readonly id: string
  /** What the list knows of it. */
  readonly of: ConversationRow | undefined
  /** The address of the list. */
  readonly back: string
}): ReactElement => {
  const { id, of } = props
  const session = useSession(admin.session)
  const answer = useWhole(history(id))
  const chat = useChat(live, { conversationId: id })
  const messages = useMemo(() => merge(answer.items, chat.messages), [answer.items, chat.messages])
  const [most, setMost] = useState(500)
  const list = useRef<HTMLElement>(null)
  const count = messages.length + chat.outgoing.length
  // Readers expect the newest message.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [count])
  return (
    <Card
      flush
      title={of?.userName ?? "Conversation"}
      {...(of && { about: `${of.topic} · ${words(of.status ?? "")}` })}
      action={
        <Link className="content-center text-sm md:hidden" to={props.back}>
          All conversations
        </Link>
      }
    >
      <Scroll label="Messages" className="flex-1 border-t p-4" ref={list} aria-live="polite">
        <Loaded
          of={answer}
          isEmpty={() => count === 0}
          empty={<Empty icon="chat" title="Nothing has been said yet" />}
        >
          {() => (
            <ol className="flex min-h-full flex-col justify-end gap-2.5">
              {messages.length > most && (
                <li className="self-center">
                  <Button size="s" onClick={() => setMost(most + 500)}>
                    Earlier messages
                  </Button>
                </li>
              )}
              {messages.slice(-most).map(({ author, begins, createdAt, key, text }) => (
                <Fragment key={key}>
                  {begins && <Day date={begins} />}
                  <Said text={text} as={author?.isAdmin === true ? "ours" : "theirs"}>
                    {author?.name ?? "Someone"} · <When date={createdAt} inDay />
                  </Said>
                </Fragment>
              ))}
              {chat.outgoing.map(({ clientId, draft, status }) => (
                <Said key={clientId} text={draft.text ?? ""} as={status === "failed" ? "unsent" : "ours"}>
                  {{ pending: "Sending…", sent: "Sent", failed: "Not sent" }[status]}
                  {status === "failed" && (
                    <>
                      <Button size="s" onClick={() => chat.retry(clientId)}>
                        Send again
                      </Button>
                      <Button size="s" kind="ghost" onClick={() => chat.discard(clientId)}>
                        Discard
                      </Button>
                    </>
                  )}
                </Said>
              ))}
            </ol>
          )}
        </Loaded>
      </Scroll>
      <CardFoot>
        {session.can(Admin.conversations.update) ? (
          <Composer id={id} onSend={(text) => chat.send({ conversationId: id, text })} />
        ) : (
          "Your role lets you read conversations, and not answer."
        )}
      </CardFoot>
    </Card>
  )
}
