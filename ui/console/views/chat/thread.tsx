/** The messages of a conversation by day, as they arrive, and those being sent. */
import type { ChatActions, ChatState } from "@quartet/react"
import type { AdminIdentity } from "@quartet/sdk/extend"
import { Fragment, type ReactElement, type ReactNode, type Ref } from "react"
import { Button } from "../../design/button.js"
import { day, when } from "../../design/format.js"
import { Avatar, When } from "../../design/show.js"
import { More } from "../../frame/more.js"
import { Linked } from "./linked.js"
import type { Shown } from "./messages.js"

/** The fields of a message that its view shows, and those that nobody has to see. */
const known = ["_id", "text", "sender", "createdAt", "seen", "clientId", "conversationId"]

/** The day of a line: as one says it. */
const dayName = (date: Date): string => {
  const short = when(date)
  return day(date) === day(new Date()) ? "Today" : short === "Yesterday" ? short : day(date)
}

type Side = "theirs" | "ours" | "unsent"

const bubbleClass: Readonly<Record<Side, string>> = {
  theirs: "bubble bg-sunken",
  ours: "bubble bg-selected",
  unsent: "bubble border-bad bg-bad/12"
}

/** One message: who, what, when; and below it what can be done about it. */
const Bubble = (props: {
  readonly side: Side
  readonly name: string
  /** It goes on with what the same person has just written: the name stands above that. */
  readonly goesOn: boolean
  readonly text: string
  /** When, and what became of it. */
  readonly state: ReactNode
  readonly unread?: string | undefined
  readonly children?: ReactNode
}): ReactElement => {
  const { children, goesOn, name, side, state, text, unread } = props
  return (
    <li
      className="message"
      data-side={side === "theirs" ? side : "ours"}
      data-begins={!goesOn || undefined}
      data-unread={unread}
    >
      {side === "theirs" && (goesOn ? <span className="w-7 flex-none" /> : <Avatar name={name} />)}
      <div className="message-body">
        <span className={goesOn ? "sr-only" : "text-xs font-medium text-muted"}>{name}</span>
        <div className="message-line">
          <p className={bubbleClass[side]}>
            <Linked text={text} />
          </p>
          <span className="faint pb-1 whitespace-nowrap">{state}</span>
        </div>
        {children}
      </div>
    </li>
  )
}

/** A line across the thread. */
const Rule = (props: { readonly isNew?: boolean; readonly children: ReactNode }): ReactElement => (
  <li className={props.isNew ? "thread-rule thread-new" : "thread-rule"} data-new={props.isNew || undefined}>
    {props.children}
  </li>
)

const stateOf = ({ author, createdAt, of }: Shown): ReactNode => {
  const { seen }: { readonly seen?: unknown } = of
  const state = author?.isOurs ? (seen === true ? "Seen" : "Sent") : undefined
  return (
    <>
      {createdAt && <When date={createdAt} inDay />}
      {createdAt && state && " · "}
      {state}
    </>
  )
}

export interface ThreadProps {
  readonly list: Ref<HTMLOListElement>
  readonly messages: ReadonlyArray<Shown>
  /** The key of the first one that was unread when the thread was opened. */
  readonly firstNew: string | undefined
  /** The ids of those that are unread now, by their keys. */
  readonly unread: ReadonlyMap<string, string>
  readonly me: AdminIdentity | undefined
  readonly chat: Pick<ChatActions, "retry" | "discard"> & Pick<ChatState<unknown>, "outgoing">
}

export const Thread = (props: ThreadProps): ReactElement => {
  const { chat, firstNew, list, me, messages, unread } = props
  return (
    <ol className="thread" ref={list}>
      {messages.map((message) => {
        const { author, begins, goesOn, key, of, text } = message
        const isNew = key === firstNew
        const isMine = author?.isOurs === true && author.id !== undefined && author.id === me?._id
        return (
          <Fragment key={key}>
            {begins && <Rule>{dayName(begins)}</Rule>}
            {isNew && <Rule isNew>New</Rule>}
            <Bubble
              side={author?.isOurs ? "ours" : "theirs"}
              name={isMine ? "You" : (author?.name ?? "Someone")}
              goesOn={goesOn && !isNew}
              text={text}
              state={stateOf(message)}
              unread={unread.get(key)}
            >
              <More of={of} known={known} />
            </Bubble>
          </Fragment>
        )
      })}
      {chat.outgoing.map(({ clientId, draft, status }) => (
        <Bubble
          key={clientId}
          side={status === "failed" ? "unsent" : "ours"}
          name="You"
          goesOn={messages.at(-1)?.author?.id === me?._id}
          text={draft.text ?? ""}
          state={status === "failed" ? undefined : { pending: "Sending…", sent: "Sent" }[status]}
        >
          {status === "failed" && (
            <span className="row justify-end" role="alert">
              <span className="text-xs font-medium text-bad">Not sent</span>
              <Button size="s" onClick={() => chat.retry(clientId)}>
                Send again
              </Button>
              <Button size="s" kind="ghost" onClick={() => chat.discard(clientId)}>
                Delete
              </Button>
            </span>
          )}
        </Bubble>
      ))}
    </ol>
  )
}
