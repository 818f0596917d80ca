/** The notification centre of an end user's own page: what they were told. */

import { useMutation, useQuery, useSession } from "@quartet/react"
import * as EndUser from "@quartet/sdk/end-user"
import { type ReactElement, useState } from "react"
import { Loaded } from "../data/loaded.js"
import { Button, IconButton } from "../design/button.js"
import { Sheet } from "../design/dialog.js"
import { Badge, When } from "../design/show.js"
import { Empty, SkeletonRows } from "../design/state.js"
import { endUser } from "./query-clients.js"
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

const Ring = (props: { readonly count: number; readonly children: ReactElement }): ReactElement => {
  const [isOpen, setOpen] = useState(false)
  return (
    <span className="relative">
      <IconButton icon="bell" label={`Notifications, ${props.count} new`} onClick={() => setOpen(true)} />
      {props.count > 0 && (
        <span className="pointer-events-none absolute top-0 left-1/2 grid origin-top-left scale-75">
          <Badge tone="accent">{props.count}</Badge>
        </span>
      )}
      <Sheet open={isOpen} onClose={() => setOpen(false)} title="Notifications">
        {props.children}
      </Sheet>
    </span>
  )
}

/** What the end user was told, newest first. */
const ForEndUser = (): ReactElement => {
  const { mutate } = useMutation(see)
  const answer = useQuery(notifications)
  return (
    <Ring count={answer.data?.items.filter(({ seen }) => seen !== true).length ?? 0}>
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
    </Ring>
  )
}

/** The bell of the one whom the page is for; none for those who get no notifications. */
const Bell = (): ReactElement | null => {
  const { audience } = useWhere()
  const resident = useSession(endUser.session)
  return audience === "endUser" && resident.status === "signed-in" ? <ForEndUser /> : null
}

export default Bell
