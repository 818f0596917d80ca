/** The notification centre: what end users write in the chat; on an end user's own page, what they were told. */
import { pushUnsafe } from "@swan-io/chicane"
import { type ReactElement, useState } from "react"
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
import { Router, routeNames } from "./routes.js"
import { mine } from "./rows.js"
import styles from "./shell.module.css"
import { audienceOf } from "./viewer.js"

interface Notice {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly at: Date | null | undefined
  readonly isNew: boolean
}

/** Notices, newest first, each with what can be done about it. */
const Notices = <A extends Notice>(props: {
  readonly of: ReadonlyArray<A>
  readonly action: (notice: A) => ReactElement | false
}): ReactElement =>
  props.of.length === 0 ? (
    <Empty icon="bell" title="Nothing new" />
  ) : (
    <ul className={layout.rows}>
      {props.of.map((notice) => (
        <li key={notice.id}>
          <div className={layout.grow}>
            <h3>
              {notice.title} {notice.isNew && <Badge tone="accent">New</Badge>}
            </h3>
            <p>{notice.text}</p>
          </div>
          <span className={typography.faint}>
            <When date={notice.at} />
          </span>
          {props.action(notice)}
        </li>
      ))}
    </ul>
  )

const notifications = endUser.query(mine.notifications, { limit: 10 })
const see = endUser.mutation(EndUser.notifications.markSeen)

/** What the end user was told. */
export const Notifications = (): ReactElement => {
  const { mutate } = useMutation(see)
  return (
    <Loaded of={useQuery(notifications)} skeleton={<SkeletonRows rows={4} lines={2} />}>
      {({ items }) => (
        <Notices
          of={items.map(({ _id, body, createdAt, seen, title }) => ({
            id: _id,
            title: title ?? "Notification",
            text: body ?? "",
            at: createdAt,
            isNew: seen !== true
          }))}
          action={({ id, isNew, title }) =>
            isNew && (
              <Button size="s" aria-label={`Mark “${title}” as seen`} onClick={() => void mutate({ id })}>
                Seen
              </Button>
            )
          }
        />
      )}
    </Loaded>
  )
}

const Ring = (props: {
  readonly count: number
  readonly onClose?: () => void
  readonly children: (close: () => void) => ReactElement
}): ReactElement => {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => {
    setOpen(false)
    props.onClose?.()
  }
  return (
    <span className={styles.bell}>
      <IconButton icon="bell" label={`Notifications, ${props.count} new`} onClick={() => setOpen(true)} />
      {props.count > 0 && <Badge tone="accent">{props.count}</Badge>}
      <Sheet open={isOpen} onClose={close} title="Notifications">
        {props.children(close)}
      </Sheet>
    </span>
  )
}

const stored = "quartet.notices.seen"

/** What end users have written, as it comes. What was there when the sheet was closed last is not new. */
const FromChat = (): ReactElement => {
  const { messages } = useChat(live)
  const [seen, setSeen] = useState(() => Number(localStorage.getItem(stored) ?? Date.now()))
  const written = messages
    .flatMap((message) => {
      const { _id: id, conversationId, sender, text } = message
      if (!isAuthor(sender) || sender.kind === "admin" || typeof conversationId !== "string") return []
      const at = timeOf(message)
      return [{ id, conversationId, title: sender.name, text: shown(text), at, isNew: Number(at) > seen }]
    })
    .reverse()
  const onClose = (): void => {
    const latest = Math.max(seen, ...written.map(({ at }) => Number(at ?? 0)))
    localStorage.setItem(stored, String(latest))
    setSeen(latest)
  }
  return (
    <Ring count={written.filter(({ isNew }) => isNew).length} onClose={onClose}>
      {(close) => (
        <Notices
          of={written.slice(0, 20)}
          action={({ conversationId: id, title }) => (
            <Button
              size="s"
              aria-label={`Answer ${title}`}
              onClick={() => {
                close()
                pushUnsafe(Router.Conversation({ id }))
              }}
            >
              Answer
            </Button>
          )}
        />
      )}
    </Ring>
  )
}

const ForEndUser = (): ReactElement => {
  const { data } = useQuery(notifications)
  return (
    <Ring count={data?.items.filter(({ seen }) => seen !== true).length ?? 0}>{() => <Notifications />}</Ring>
  )
}

/** The bell of the one whom the page is for; none for those who get no notifications. */
export const Bell = (): ReactElement | null => {
  const audience = audienceOf(Router.useRoute(routeNames)?.name)
  const administrator = useSession(admin.session)
  const resident = useSession(endUser.session)
  if (audience === "endUser") return resident.status === "signed-in" ? <ForEndUser /> : null
  const isHeard = administrator.status === "signed-in" && administrator.can(Admin.conversations.list)
  return audience === "admin" && isHeard ? <FromChat /> : null
}
