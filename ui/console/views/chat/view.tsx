/** Chat: all conversations of the project, by topic, and one of them, live. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useChat, useQuery } from "../../../rx/index.js"
import { Router, routeNames } from "../../app/routes.js"
import type { ConversationRow } from "../../app/rows.js"
import { Select } from "../../design/field.js"
import { Avatar, Badge, PageHead, When } from "../../design/show.js"
import show from "../../design/show.module.css"
import { Empty, Loaded, SkeletonRows } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import styles from "./chat.module.css"
import { ConnectionBadge } from "./connection.js"
import { conversationList, live, topics } from "./data.js"
import { shown } from "./messages.js"
import { Thread } from "./thread.js"

const ConversationItem = (props: {
  readonly conversation: ConversationRow
  readonly isHere: boolean
  readonly last: string
}): ReactElement => {
  const { _id, topic, updatedAt, userName } = props.conversation
  return (
    <li>
      <Link to={Router.Conversation({ id: _id })} aria-current={props.isHere ? "page" : undefined}>
        <Avatar name={userName ?? "?"} />
        <strong className={typography.truncate}>{userName}</strong>
        <span className={typography.faint}>
          <When date={updatedAt} />
        </span>
        <span className={`${styles.last} ${typography.truncate}`}>
          {topic} · {props.last}
        </span>
      </Link>
    </li>
  )
}

const ChatView = (): ReactElement => {
  const route = Router.useRoute(routeNames)
  const topic = route?.name === "Chat" ? route.params.topic : undefined
  const id = route?.name === "Conversation" ? route.params.id : undefined
  const answer = useQuery(conversationList)
  const chat = useChat(live)
  const lastOf = (conversation: ConversationRow): string => {
    const latest = chat.messages.filter(({ conversationId }) => conversationId === conversation._id).at(-1)
    return shown(latest?.text ?? conversation.lastMessage)
  }
  const here = answer.data?.items.find((conversation) => conversation._id === id)
  return (
    <>
      <PageHead
        title="Chat"
        about="Talk with end users. What they write appears at once, without loading the page again."
      >
        <ConnectionBadge connection={chat.connection} onReopen={chat.reopen} />
      </PageHead>
      <div className={`${show.card} ${styles.chat}`} data-open={id === undefined ? "list" : "thread"}>
        <section className={styles.conversations} aria-label="Conversations">
          {topics.length > 0 && (
            <div className={styles.filter}>
              <Select
                label="Topic"
                hideLabel
                value={topic ?? ""}
                choices={[
                  { value: "", label: "All topics" },
                  ...topics.map((name) => ({ value: name, label: name }))
                ]}
                onChange={(name) => Router.push("Chat", name === "" ? {} : { topic: name })}
              />
            </div>
          )}
          <Loaded
            of={answer}
            skeleton={<SkeletonRows rows={8} lines={2} />}
            isEmpty={({ items }) => items.length === 0}
            empty={<Empty icon="chat" title="No conversations yet" />}
          >
            {({ items }) => {
              const shown = items.filter(
                (conversation) => topic === undefined || conversation.topic === topic
              )
              return shown.length === 0 ? (
                <Empty icon="chat" title={`Nothing about “${topic}”`} />
              ) : (
                <ul>
                  {shown.map((conversation) => (
                    <ConversationItem
                      key={conversation._id}
                      conversation={conversation}
                      isHere={conversation._id === id}
                      last={lastOf(conversation)}
                    />
                  ))}
                </ul>
              )
            }}
          </Loaded>
        </section>
        {id === undefined ? (
          <div className={styles.thread} data-empty="">
            <Empty icon="chat" title="Choose a conversation">
              Its messages appear here.
            </Empty>
          </div>
        ) : (
          <Thread
            key={id}
            id={id}
            title={here?.userName ?? "Conversation"}
            about={
              <>
                {here?.topic}{" "}
                <Badge tone={here?.status === "open" ? "good" : "calm"}>{here?.status ?? "…"}</Badge>
              </>
            }
          />
        )}
      </div>
    </>
  )
}

export default ChatView
