/** The notification centre: what end users write in the chat; on an end user's own page, what they were told. */
import { pushUnsafe } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useState } from "react"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import { timeOf } from "../../../core/chat/order.js"
import { useChat, useMutation, useQuery, useSession } from "../../rx/index.js"
import { Button, IconButton } from "../design/button.js"
import { Sheet } from "../design/dialog.js"
import layout from "../design/layout.module.css"
import { Badge, When } from "../design/show.js"
import { Empty, Loaded, SkeletonRows } from "../design/state.js"
import typography from "../design/typography.module.css"
import { live } from "../views/chat/data.js"
import { isAuthor, shown } from "../views/chat/messages.js"
import { admin, endUser } from "./query-clients.js"
import { Router } from "./routes.js"
import { mine } from "./rows.js"
import styles from "./shell.module.css"

const notifications = endUser.query(mine.notifications, { limit: 10 })
const see = endUser.mutation(EndUser.notifications.markSeen)

/** What the end user was told, newest first. */
export const Notifications = (): ReactElement => {
  const answer = useQuery(notifications)
  const run = useMutation(see)
  return (
    <Loaded
      of={answer}
      skeleton={<SkeletonRows rows={4} lines={2} />}
      isEmpty={({ items }) => items.length === 0}
      empty={<Empty icon="chat" title="Nothing new" />}
    >
      {({ items }) => (
        <ul className={layout.rows}>
          {items.map(({ _id, body, seen, title }) => (
            <li key={_id}>
              <div className={layout.grow}>
                <h3>{title}</h3>
                <p>{body}</p>
              </div>
              {seen === true ? (
                <span className={typography.faint}>Seen</span>
              ) : (
                <Button
                  size="s"
                  aria-label={`Mark “${title}” as seen`}
                  onClick={() => void run.mutate({ id: _id })}
                >
                  Seen
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

const Bell = (props: {
  readonly count: number
  readonly onToggle?: () => void
  readonly children: (close: () => void) => ReactNode
}): ReactElement => {
  const [open, setOpen] = useState(false)
  const toggle = (): void => {
    setOpen(!open)
    props.onToggle?.()
  }
  return (
    <>
      <span className={styles.bell}>
        <IconButton icon="bell" label={`Notifications, ${props.count} new`} onClick={toggle} />
        {props.count > 0 && <Badge tone="accent">{props.count}</Badge>}
      </span>
      <Sheet open={open} onClose={toggle} title="Notifications">
        {open && props.children(toggle)}
      </Sheet>
    </>
  )
}

const stored = "quartet.notices.seen"

/** What end users have written, as it comes. What was there when the sheet was closed last is not new. */
const FromChat = (): ReactElement => {
  const { messages } = useChat(live)
  const [seen, setSeen] = useState(() => Number(localStorage.getItem(stored) ?? Date.now()))
  const written = messages
    .flatMap((message) => {
      const { conversationId, sender, text } = message
      if (!isAuthor(sender) || sender.kind === "admin" || typeof conversationId !== "string") return []
      const at = timeOf(message)
      return [
        {
          id: message._id,
          conversationId,
          from: sender.name,
          text: shown(text),
          at,
          isNew: Number(at) > seen
        }
      ]
    })
    .reverse()
  const latest = Math.max(seen, ...written.map(({ at }) => Number(at ?? 0)))
  const [isOpen, setOpen] = useState(false)
  const toggle = (): void => {
    setOpen(!isOpen)
    if (!isOpen) return
    localStorage.setItem(stored, String(latest))
    setSeen(latest)
  }
  return (
    <Bell count={written.filter(({ isNew }) => isNew).length} onToggle={toggle}>
      {(close) =>
        written.length === 0 ? (
          <Empty icon="chat" title="Nothing new">
            What end users write appears here.
          </Empty>
        ) : (
          <ul className={layout.rows}>
            {written.slice(0, 20).map(({ at, conversationId, from, id, isNew, text }) => (
              <li key={id}>
                <div className={layout.grow}>
                  <h3>
                    {from} {isNew && <Badge tone="accent">New</Badge>}
                  </h3>
                  <p>{text}</p>
                </div>
                <span className={typography.faint}>
                  <When date={at} />
                </span>
                <Button
                  size="s"
                  aria-label={`Answer ${from}`}
                  onClick={() => {
                    close()
                    pushUnsafe(Router.Conversation({ id: conversationId }))
                  }}
                >
                  Answer
                </Button>
              </li>
            ))}
          </ul>
        )
      }
    </Bell>
  )
}

const ForEndUser = (): ReactElement => {
  const { data } = useQuery(notifications)
  return (
    <Bell count={data?.items.filter(({ seen }) => seen !== true).length ?? 0}>{() => <Notifications />}</Bell>
  )
}

/** The bell of the one whom the page is for; none for those who get no notifications. */
export const Notices = ({ audience }: { readonly audience: string | undefined }): ReactElement | null => {
  const administrator = useSession(admin.session)
  const resident = useSession(endUser.session)
  if (audience === "endUser") return resident.status === "signed-in" ? <ForEndUser /> : null
  if (audience !== "admin" || administrator.status !== "signed-in") return null
  return administrator.can(Admin.conversations.list) ? <FromChat /> : null
}
