/** The notification centre: what end users write in the chat; on an end user's own page, what they were told. */

import { useChat, useMutation, useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { timeOf } from "@quartet/sdk/extend"
import { pushUnsafe } from "@swan-io/chicane"
import * as Arr from "effect/Array"
import { type ReactElement, useState } from "react"
import { Loaded } from "../data/loaded.js"
import { Button, IconButton } from "../design/button.js"
import { Sheet } from "../design/dialog.js"
import { Badge, When } from "../design/show.js"
import { Empty, SkeletonRows } from "../design/state.js"
import { live } from "../views/chat/data.js"
import { authorOf, shown } from "../views/chat/messages.js"
import { admin, endUser } from "./query-clients.js"
import { Router } from "./routes.js"
import { mine } from "./rows.js"
import { useWhere } from "./viewer.js"

interface Notice {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly at: Date | null | undefined
  readonly isNew: boolean
  /** What can be done about it: in a word, and for screen readers. */
  readonly action?: { readonly label: string; readonly name: string; readonly run: () => void } | undefined
}

const Notices = ({ of }: { readonly of: ReadonlyArray<Notice> }): ReactElement =>
  of.length === 0 ? (
    <Empty icon="bell" title="Nothing new" />
  ) : (
    <ul>
      {of.map(({ action, at, id, isNew, text, title }) => (
        <li key={id} className="flex items-center gap-3 border-line py-3 not-first:border-t">
          <div className="min-w-0 flex-1">
            <h3>
              {title} {isNew && <Badge tone="accent">New</Badge>}
            </h3>
            <p className="whitespace-pre-line quiet">{text}</p>
          </div>
          <When date={at} className="faint" />
          {action !== undefined && (
            <Button size="s" aria-label={action.name} onClick={action.run}>
              {action.label}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )

const notifications = endUser.query(mine.notifications, { limit: 10 })
const see = endUser.mutation(EndUser.notifications.markSeen)

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
    <span className="relative">
      <IconButton icon="bell" label={`Notifications, ${props.count} new`} onClick={() => setOpen(true)} />
      {props.count > 0 && (
        <span className="pointer-events-none absolute top-0 left-1/2 grid origin-top-left scale-75">
          <Badge tone="accent">{props.count}</Badge>
        </span>
      )}
      <Sheet open={isOpen} onClose={close} title="Notifications">
        {props.children(close)}
      </Sheet>
    </span>
  )
}

const stored = "quartet.notices.seen"

/** What end users have written, as it comes. What was there when the sheet was closed last is not new. */
const FromChat = (): ReactElement => {
  const [seen, setSeen] = useState(() => Number(localStorage.getItem(stored) ?? Date.now()))
  const written = useChat(live).messages.flatMap((message) => {
    const { conversationId: id } = message
    const author = authorOf(message)
    if (author === undefined || author.isAdmin || typeof id !== "string") return []
    const at = timeOf(message)
    return [{ id, title: author.name, text: shown(message.text), at, isNew: Number(at) > seen }]
  })
  const latest = written.slice(-20).reverse()
  const onClose = (): void => {
    const last = Math.max(seen, ...written.map(({ at }) => Number(at ?? 0)))
    localStorage.setItem(stored, String(last))
    setSeen(last)
  }
  return (
    <Ring count={written.filter(({ isNew }) => isNew).length} onClose={onClose}>
      {(close) => (
        <Notices
          of={Object.values(Arr.groupBy(latest, ({ id }) => id)).map((sameSource) => {
            const [newest] = sameSource
            const run = (): void => {
              close()
              pushUnsafe(Router.Conversation({ id: newest.id }))
            }
            const text = sameSource
              .slice(0, 2)
              .map(({ text }) => text)
              .join("\n")
            return { ...newest, text, action: { label: "Answer", name: `Answer ${newest.title}`, run } }
          })}
        />
      )}
    </Ring>
  )
}

/** What the end user was told, newest first. */
const ForEndUser = (): ReactElement => {
  const { mutate } = useMutation(see)
  const answer = useQuery(notifications)
  return (
    <Ring count={answer.data?.items.filter(({ seen }) => seen !== true).length ?? 0}>
      {() => (
        <Loaded of={answer} skeleton={<SkeletonRows rows={4} lines={2} />}>
          {({ items }) => (
            <Notices
              of={items.map(({ _id: id, body, createdAt: at, seen, title }) => {
                const run = () => void mutate({ id })
                const isNew = seen !== true
                const action = isNew ? { label: "Seen", name: `Mark “${title}” as seen`, run } : undefined
                return { id, title: title ?? "", text: body ?? "", at, isNew, action }
              })}
            />
          )}
        </Loaded>
      )}
    </Ring>
  )
}

/** The bell of the one whom the page is for; none for those who get no notifications. */
const Bell = (): ReactElement | null => {
  const { audience } = useWhere()
  const administrator = useSession(admin.session)
  const resident = useSession(endUser.session)
  if (audience === "endUser") return resident.status === "signed-in" ? <ForEndUser /> : null
  const isHeard = administrator.status === "signed-in" && administrator.can(Admin.conversations.list)
  return audience === "admin" && isHeard ? <FromChat /> : null
}

export default Bell
