/** One conversation: who it is with, what was said, and the answer. */

import { useChat, useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react"
import { useCellValue } from "../../app/cells.js"
import { useWhole } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import type { ConversationRow } from "../../app/rows.js"
import { AboutCustomer } from "../../customer/about.js"
import { customer } from "../../customer/data.js"
import { Failed } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { Avatar } from "../../design/show.js"
import { Empty, Note, SkeletonRows } from "../../design/state.js"
import { Composer } from "../../frame/composer.js"
import { Detail, Thing, useFrame } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { StatusBar } from "../../frame/status-menu.js"
import { statusChoices, useStatusChange } from "./change-status.js"
import { draftOf, history, live, seenHere } from "./data.js"
import { type Author, isUnread, merge } from "./messages.js"
import { useReading } from "./reading.js"
import { useThreadScroll } from "./scroll.js"
import { isClosed } from "./talks.js"
import { Thread } from "./thread.js"

/** The fields of a conversation that the view shows; all others stand under "More". */
const known = ["topic", "userName", "status", "lastMessage", "updatedAt"]

interface ConversationProps {
  readonly of: ConversationRow
  readonly nameOf: (row: ConversationRow, customer?: Author) => string
}

/** At most so many messages stand in the page at first. */
const step = 500

const Conversation = ({ nameOf, of }: ConversationProps): ReactElement => {
  const { _id: id, status, topic } = of
  const session = useSession(admin.session)
  const frame = useFrame()
  const answer = useWhole(history(id))
  const chat = useChat(live, { conversationId: id })
  const seen = useCellValue(seenHere)
  const { busy, set } = useStatusChange(nameOf)
  const [isTaken, setTaken] = useState(false)
  const messages = useMemo(() => merge(answer.items, chat.messages), [answer.items, chat.messages])
  // Where the conversation does not say whose it is, its messages may.
  const theirs = messages.find(({ author }) => author?.isOurs === false)?.author
  const name = nameOf(of, theirs)
  const userId = of.userId || theirs?.id
  const { data: { phone } = {} } = useQuery(userId ? customer(userId) : undefined)
  const unread = new Map(
    messages.filter(({ of }) => isUnread(of, seen)).map(({ key, of }) => [key, String(of._id ?? "")])
  )
  const isReady = answer.error !== undefined || (answer.data !== undefined && !answer.hasNextPage)
  const firstNew = useFirstNew(isReady, [...unread.keys()][0], chat.outgoing.length)
  const scroll = useThreadScroll({ messages, outgoing: chat.outgoing.length, isReady })
  const { content, earlier, missed, onScroll, scroller, showEarlier, toEnd } = scroll
  const most = step * (earlier + 1)
  const isReading = frame?.isChosen === true || isTaken
  useReading(id, scroller, isReading, [...unread.values()].filter(Boolean))
  const canUpdate = session.can(Admin.conversations.update)
  const first = name.split(" ")[0]
  const isAway = chat.connection.status !== "connected" && chat.connection.status !== "connecting"
  const me =
    session.status === "signed-in" && "admin" in session.identity ? session.identity.admin : undefined
  const count = messages.length + chat.outgoing.length
  return (
    <Detail
      lead={<Avatar name={name} size="l" />}
      title={name}
      about={
        <>
          {topic}
          {phone && (
            // Beside the thread it stands among what is known of the customer.
            <span className="@2xl:hidden">
              {topic && " · "}
              <a href={`tel:${phone}`}>{phone}</a>
            </span>
          )}
        </>
      }
      actions={
        canUpdate ? (
          <StatusBar
            status={status}
            choices={statusChoices}
            next={isClosed(of) ? ["open"] : ["closed"]}
            busy={busy}
            onSet={(next, isNext) => {
              void set([of], next)
              if (isNext) frame?.next()
            }}
          />
        ) : (
          <span className="quiet">
            You can view conversations, but your role does not let you reply to or close them.
          </span>
        )
      }
      aside={
        <>
          <AboutCustomer id={userId} name={of.userName || theirs?.name} except={id} />
          <More of={of} known={known} />
        </>
      }
      asideLabel="Customer"
      asideButton={`About ${first}`}
      scroll={{ ref: scroller, onScroll }}
      foot={
        canUpdate && (
          // biome-ignore lint/a11y/noStaticElementInteractions: who begins to write reads what is above.
          <div className="relative grid gap-2" onFocus={() => setTaken(true)}>
            {missed > 0 && (
              <Button kind="primary" size="s" className="thread-missed" icon="down" onClick={toEnd}>
                {missed} new {missed === 1 ? "message" : "messages"}
              </Button>
            )}
            {isAway && (
              <Note tone="warn">
                {chat.connection.status === "reconnecting"
                  ? "Reconnecting… Messages will be sent once the connection is back."
                  : "Not connected. Reconnect to send messages."}
              </Note>
            )}
            <Composer
              label={`Message to ${name}`}
              letter="r"
              isStart
              placeholder={`Write to ${first}…`}
              draft={draftOf(id)}
              sendBy="Enter"
              action="Send"
              send={async (text) => {
                chat.send({ conversationId: id, text })
                return { status: "success" }
              }}
            />
          </div>
        )
      }
    >
      <div role="log" aria-label="Messages" aria-live={isReady ? "polite" : "off"} className="thread-log">
        {answer.error !== undefined && (
          <Failed error={answer.error} what="The messages" onRetry={answer.refetch} />
        )}
        {count === 0 && answer.error === undefined && !isReady && <SkeletonRows rows={6} />}
        {count === 0 && isReady && answer.error === undefined && (
          <Empty icon="chat" title="No messages yet">
            {canUpdate && "Write the first one."}
          </Empty>
        )}
        {messages.length > most && (
          <p className="mb-3 text-center">
            <Button size="s" onClick={showEarlier}>
              Show earlier messages
            </Button>
          </p>
        )}
        <Thread
          list={content}
          messages={messages.slice(-most)}
          firstNew={firstNew}
          unread={unread}
          me={me}
          chat={chat}
        />
      </div>
    </Detail>
  )
}

/** The message at which the line "New" stands: the first that was unread when all were read, until one has answered. */
const useFirstNew = (isReady: boolean, first: string | undefined, outgoing: number): string | undefined => {
  const wasReady = useRef(false)
  const firstNew = useRef<string>(undefined)
  if (isReady && !wasReady.current) firstNew.current = first
  wasReady.current ||= isReady
  const [, setAnswered] = useState(false)
  useEffect(() => {
    if (outgoing === 0) return
    firstNew.current = undefined
    setAnswered(true)
  }, [outgoing])
  return firstNew.current
}

export const ConversationDetail = (props: {
  readonly id: string
  readonly row: ConversationRow | undefined
  readonly nameOf: ConversationProps["nameOf"]
}): ReactElement => {
  const { id, nameOf, row } = props
  const { data, error, refetch, updatedAt } = useWhole(history(id))
  // None is read alone: what its messages are there for is there.
  const found = row ?? (data === undefined ? undefined : { _id: id, topic: null })
  const isGone = Object(error)._tag === "NotFound"
  return (
    <Thing
      of={{ data: isGone ? undefined : found, error: isGone ? error : undefined, refetch, updatedAt }}
      row={undefined}
      noun="conversation"
    >
      {(conversation) => <Conversation of={conversation} nameOf={nameOf} />}
    </Thing>
  )
}
