/** The details of one request: its facts, its status, its comments, and an answer. */

import { useMutation, useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { type ReactElement, useState } from "react"
import { useNames } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import type { RequestRow } from "../../app/rows.js"
import { report } from "../../app/toasts.js"
import { Status } from "../../app/status.js"
import { Form, useText } from "../../data/form.js"
import { Loaded } from "../../data/loaded.js"
import { between } from "../../data/versions.js"
import { Button } from "../../design/button.js"
import { ask, Sheet } from "../../design/dialog.js"
import { Select, TextArea } from "../../design/field.js"
import { Avatar, FactList, type Facts, When, words } from "../../design/show.js"
import { Note } from "../../design/state.js"
import { byId, comment, read, see, setStatus, statusChoices } from "./data.js"

/** Whether a side has read the present version. */
const seenOf = (seen: number | null | undefined, { version }: RequestRow): string =>
  (seen ?? 0) >= (version ?? 0) ? "Yes" : seen ? "Not since it changed" : "Not yet"

const factsOf = (request: RequestRow, who: string): Facts => [
  ["Status", <Status key="" of={request.status} />],
  ["Type", words(request.type ?? "")],
  ["From", who || "—"],
  ["Filed", <When key="" date={request.createdAt} long />],
  ["Last change", <When key="" date={request.updatedAt} long />],
  ["Seen by you", seenOf(request.seenByAdmin, request)],
  ["Seen by them", seenOf(request.seenByUser, request)]
]

/** The comments, oldest first. */
const Comments = ({ comments }: Pick<RequestRow, "comments">): ReactElement => {
  if (!comments?.length) return <p className="quiet">Nobody has said anything yet.</p>
  return (
    <ul className="stack">
      {comments.map(({ _id, author, createdAt, text }, index) => (
        <li key={_id ?? index} className="flex gap-2.5 text-sm wrap-anywhere">
          <Avatar name={author?.name ?? "?"} />
          <div>
            <p>
              <strong>{author?.name ?? "Someone"}</strong> <When date={createdAt} long className="faint" />
            </p>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

const Answer = ({ id }: { readonly id: string }): ReactElement => {
  const { mutate } = useMutation(comment)
  const form = useText(`admin.requests/${id}`, (text) => mutate({ id, payload: { text } }))
  return (
    <Form of={form}>
      <TextArea label="Your comment" rows={2} placeholder="Write an answer…" {...form.field("text")} />
      <Button kind="primary" type="submit" busy={form.busy} disabled={form.values.text.trim() === ""}>
        Comment
      </Button>
    </Form>
  )
}

const Actions = ({ request }: { readonly request: RequestRow }): ReactElement => {
  const session = useSession(admin.session)
  const status = useMutation(setStatus)
  const seen = useMutation(see)
  const reading = useMutation(read)
  const version = request.version ?? 0
  // Arrow keys choose: what is chosen is not sent yet.
  const [chosen, setChosen] = useState<string>()
  const next = chosen ?? request.status ?? "pending"
  const move = async (next: string, from = request): Promise<void> => {
    const { _id: id, version } = from
    const outcome = await status.mutate({ id, payload: { status: next, version: version ?? undefined } })
    const isStale = outcome.status === "error" && outcome.error._tag === "Conflict"
    const present = isStale ? await reading.mutate({ id }) : outcome
    if (!isStale || present.status !== "success") {
      report(present, "Status changed", words(next))
      return
    }
    const { comments, status: theirs } = present.data
    const isAgreed = await ask(
      between(
        [
          ["Status", <Status key="" of={theirs} />, <Status key="" of={next} />],
          ["Comments", comments?.length ?? 0, request.comments?.length ?? 0]
        ],
        { decline: "Keep theirs", action: `Set it to “${words(next)}”` }
      )
    )
    if (isAgreed) await move(next, present.data)
  }
  const mark = async () => report(await seen.mutate({ id: request._id, version }), "Marked as seen")
  if (!session.can(Admin.requests.update))
    return <Note>Your role lets you read requests, and not change them.</Note>
  return (
    <div className="row items-end">
      <div className="flex-1">
        <Select label="Change the status" value={next} choices={statusChoices} onChange={setChosen} />
      </div>
      <Button
        // One that is disabled would lose the focus once it has done its work.
        busy={status.status === "pending" || next === request.status}
        onClick={() => {
          setChosen(undefined)
          void move(next)
        }}
      >
        Set the status
      </Button>
      <Button
        icon="check"
        busy={seen.status === "pending"}
        disabled={(request.seenByAdmin ?? 0) >= version}
        onClick={() => void mark()}
      >
        Mark as seen
      </Button>
    </div>
  )
}

export const Detail = (props: { readonly id: string | undefined; readonly onClose: () => void }) => {
  const { id, onClose } = props
  const nameOf = useNames()
  const session = useSession(admin.session)
  const answer = useQuery(id === undefined ? undefined : byId(id))
  return (
    <Sheet open={id !== undefined} onClose={onClose} title={answer.data?.title || "Request"}>
      <Loaded of={answer}>
        {(request) => (
          <div className="stack">
            <FactList of={factsOf(request, nameOf(request.userId))} />
            <Actions key={request._id} request={request} />
            <h3>Comments</h3>
            <Comments {...request} />
            {session.can(Admin.requests.addComment) && <Answer key={request._id} id={request._id} />}
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}
