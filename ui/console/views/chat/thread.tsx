/** One conversation: its messages as they arrive, and those being sent. */
import { Link } from "@swan-io/chicane"
import { type ReactElement, useEffect, useMemo, useRef } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import { useChat, useQuery, useSession } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import type { ConversationRow } from "../../app/rows.js"
import { Form, useForm } from "../../data/form.js"
import { Loaded } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { TextField } from "../../design/field.js"
import { Card, When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import styles from "./chat.module.css"
import { history, live } from "./data.js"
import { merge } from "./messages.js"

const Composer = (props: { readonly id: string; readonly onSend: (text: string) => void }): ReactElement => {
  const form = useForm(
    { text: "" },
    ({ text }): void => {
      if (text.trim() === "") return
      props.onSend(text.trim())
      form.set({ text: "" })
    },
    undefined,
    `chat/${props.id}`
  )
  return (
    <Form of={form} className={styles.composer}>
      <TextField label="Message" hideLabel placeholder="Write a message…" {...form.field("text")} />
      <Button kind="primary" icon="send" submit>
        Send
      </Button>
    </Form>
  )
}

export const Thread = (props: {
  readonly id: string
  /** What the list knows of it. */
  readonly of: ConversationRow | undefined
  /** The address of the list. */
  readonly back: string
}): ReactElement => {
  const { id, of } = props
  const title = of?.userName ?? "Conversation"
  const session = useSession(admin.session)
  const answer = useQuery(history(id))
  const chat = useChat(live, { conversationId: id })
  const messages = useMemo(() => merge(answer.data?.items ?? [], chat.messages), [answer.data, chat.messages])
  const list = useRef<HTMLElement>(null)
  const count = messages.length + chat.outgoing.length
  // Readers expect the newest message.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [count])
  return (
    <Card
      flush
      title={title}
      {...(of && { about: `${of.topic} · ${words(of.status ?? "")}` })}
      action={
        <Link className={`${styles.back} md:hidden`} to={props.back}>
          All conversations
        </Link>
      }
      footer={
        session.can(Admin.conversations.update) ? (
          <Composer id={id} onSend={(text) => chat.send({ conversationId: id, text })} />
        ) : (
          "Your role lets you read conversations, and not answer."
        )
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.messages} ref={list} tabIndex={0} aria-label="Messages" aria-live="polite">
        <Loaded
          of={answer}
          isEmpty={() => count === 0}
          empty={<Empty icon="chat" title="Nothing has been said yet" />}
        >
          {() => (
            <ol>
              {messages.map(({ createdAt, key, sender, text }) => (
                <li key={key} data-ours={sender?.kind === "admin" ? "" : undefined}>
                  <span className={styles.bubble}>{text}</span>
                  <span className={typography.faint}>
                    {sender?.name ?? "Someone"} <When date={createdAt} long />
                  </span>
                </li>
              ))}
              {chat.outgoing.map(({ clientId, draft, status }) => (
                <li key={clientId} data-ours="" data-status={status}>
                  <span className={styles.bubble}>{draft.text}</span>
                  <span className={typography.faint}>
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
                  </span>
                </li>
              ))}
            </ol>
          )}
        </Loaded>
      </section>
    </Card>
  )
}
