/** One conversation: its messages as they arrive, and those being sent. */
import { Link } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import { useChat, useQuery, useSession } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { Button } from "../../design/button.js"
import button from "../../design/button.module.css"
import { TextField } from "../../design/field.js"
import { Form, useForm } from "../../design/form.js"
import { Icon } from "../../design/icon.js"
import { Avatar, When } from "../../design/show.js"
import { Empty, Loaded, SkeletonRows } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import styles from "./chat.module.css"
import { history, live } from "./data.js"
import { merge, type ShownMessage } from "./messages.js"

const Message = ({ message }: { readonly message: ShownMessage }): ReactElement => (
  <li className={styles.message} data-ours={message.sender?.kind === "admin" ? "" : undefined}>
    <span className={styles.bubble}>{message.text}</span>
    <span className={styles.meta}>
      {message.sender?.name ?? "Someone"}
      <When date={message.createdAt} />
    </span>
  </li>
)

const Outgoing = (props: {
  readonly text: string
  readonly status: "pending" | "sent" | "failed"
  readonly onRetry: () => void
  readonly onDiscard: () => void
}): ReactElement => (
  <li className={styles.message} data-ours="" data-status={props.status}>
    <span className={styles.bubble}>{props.text}</span>
    {props.status === "failed" ? (
      <span className={styles.meta}>
        Not sent
        <Button size="s" onClick={props.onRetry}>
          Send again
        </Button>
        <Button size="s" kind="ghost" onClick={props.onDiscard}>
          Discard
        </Button>
      </span>
    ) : (
      <span className={styles.meta}>{props.status === "pending" ? "Sending…" : "Sent"}</span>
    )}
  </li>
)

const Composer = (props: { readonly id: string; readonly onSend: (text: string) => void }): ReactElement => {
  const send = ({ text }: { readonly text: string }): void => {
    if (text.trim() === "") return
    props.onSend(text.trim())
    form.set({ text: "" })
  }
  const form = useForm({ text: "" }, send, undefined, `chat/${props.id}`)
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
  readonly title: string
  readonly about: ReactNode
}): ReactElement => {
  const { id } = props
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
    <section className={styles.thread} aria-label={`Conversation with ${props.title}`}>
      <header>
        <Link
          className={`${button.button} ${styles.back}`}
          data-kind="ghost"
          data-square=""
          aria-label="All conversations"
          to={Router.Chat()}
        >
          <Icon name="back" />
        </Link>
        <Avatar name={props.title} />
        <div>
          <h2>{props.title}</h2>
          <p className={typography.faint}>{props.about}</p>
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.messages} ref={list} tabIndex={0} aria-label="Messages" aria-live="polite">
        <Loaded
          of={answer}
          skeleton={<SkeletonRows rows={5} />}
          isEmpty={() => count === 0}
          empty={<Empty icon="chat" title="Nothing has been said yet" />}
        >
          {() => (
            <ol>
              {messages.map((message) => (
                <Message key={message.key} message={message} />
              ))}
              {chat.outgoing.map(({ clientId, draft, status }) => (
                <Outgoing
                  key={clientId}
                  text={draft.text}
                  status={status}
                  onRetry={() => chat.retry(clientId)}
                  onDiscard={() => chat.discard(clientId)}
                />
              ))}
            </ol>
          )}
        </Loaded>
      </section>
      {session.can(Admin.conversations.update) ? (
        <Composer id={id} onSend={(text) => chat.send({ conversationId: id, text })} />
      ) : (
        <p className={`${styles.composer} ${typography.quiet}`}>
          Your role lets you read conversations, and not answer.
        </p>
      )}
    </section>
  )
}
