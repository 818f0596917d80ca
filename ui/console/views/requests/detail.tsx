/** One request in full: its facts, its status, what was said, and an answer. */
import { type FormEvent, type ReactElement, useState } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import { useMutation, useQuery, useSession } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { RequestRow } from "../../app/rows.js"
import { tell, warn } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { Sheet } from "../../design/dialog.js"
import { Select, TextArea } from "../../design/field.js"
import { Loaded } from "../../design/loaded.js"
import { Avatar, Badge, When, words } from "../../design/show.js"
import { Note, SkeletonRows } from "../../design/state.js"
import { comment, one, see, setStatus } from "./data.js"
import { statusChoices, toneOf } from "./options.js"

const Facts = (props: { readonly request: RequestRow; readonly who: string }): ReactElement => {
  const { createdAt, seenByAdmin, seenByUser, status, type, updatedAt, version } = props.request
  return (
    <dl className="facts">
      <dt>Status</dt>
      <dd>
        <Badge tone={toneOf(status)} dot>
          {words(status ?? "unknown")}
        </Badge>
      </dd>
      <dt>Type</dt>
      <dd>{words(type ?? "")}</dd>
      <dt>From</dt>
      <dd>{props.who || "—"}</dd>
      <dt>Filed</dt>
      <dd>
        <When date={createdAt} long />
      </dd>
      <dt>Last change</dt>
      <dd>
        <When date={updatedAt} long />
      </dd>
      <dt>Version</dt>
      <dd className="number">{version ?? 0}</dd>
      <dt>Seen by you</dt>
      <dd>{(seenByAdmin ?? 0) >= (version ?? 0) ? "This version" : `Version ${seenByAdmin ?? 0}`}</dd>
      <dt>Seen by them</dt>
      <dd>{(seenByUser ?? 0) >= (version ?? 0) ? "This version" : `Version ${seenByUser ?? 0}`}</dd>
    </dl>
  )
}

/** What was said, oldest first. */
const Comments = ({ comments }: { readonly comments: RequestRow["comments"] }): ReactElement => {
  if (comments === undefined || comments === null || comments.length === 0)
    return <p className="quiet">Nobody has said anything yet.</p>
  return (
    <ul className="comments">
      {comments.map(({ _id, author, createdAt, text }, index) => (
        <li key={_id ?? index}>
          <Avatar
            name={author?.name ?? "?"}
            {...(author?.kind === "admin" ? { side: "admin" as const } : {})}
          />
          <div>
            <p className="by">
              <strong>{author?.name ?? "Someone"}</strong>
              <span className="faint">
                <When date={createdAt} long />
              </span>
            </p>
            <p className="said">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}

const Answer = ({ request }: { readonly request: RequestRow }): ReactElement => {
  const [text, setText] = useState("")
  const run = useMutation(comment)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (text.trim() === "" || run.status === "pending") return
    const outcome = await run.mutate({ id: request._id, payload: { text: text.trim() } })
    if (outcome.status === "success") setText("")
    if (outcome.status === "error") warn(outcome.error)
  }
  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      <TextArea
        label="Your comment"
        value={text}
        onChange={setText}
        rows={2}
        placeholder="Write an answer…"
      />
      <div className="row">
        <span className="grow" />
        <Button kind="primary" submit busy={run.status === "pending"} disabled={text.trim() === ""}>
          Comment
        </Button>
      </div>
    </form>
  )
}

const Actions = ({ request }: { readonly request: RequestRow }): ReactElement => {
  const session = useSession(admin.session)
  const status = useMutation(setStatus)
  const seen = useMutation(see)
  const version = request.version ?? 0
  const move = async (next: string): Promise<void> => {
    const outcome = await status.mutate({ id: request._id, payload: { status: next } })
    if (outcome.status === "success") tell("Status changed", words(next))
    if (outcome.status === "error") warn(outcome.error)
  }
  const mark = async (): Promise<void> => {
    const outcome = await seen.mutate({ id: request._id, version })
    if (outcome.status === "success") tell("Marked as seen", `Version ${version}`)
    if (outcome.status === "error") warn(outcome.error)
  }
  if (!session.can(Admin.requests.update))
    return <Note>Your role lets you read requests, and not change them.</Note>
  return (
    <div className="row">
      <div className="grow">
        <Select
          label="Change the status"
          value={request.status ?? "pending"}
          choices={statusChoices}
          onChange={(next) => void move(next)}
        />
      </div>
      <span style={{ alignSelf: "end" }}>
        <Button
          icon="check"
          busy={seen.status === "pending"}
          disabled={(request.seenByAdmin ?? 0) >= version}
          onClick={() => void mark()}
        >
          Mark as seen
        </Button>
      </span>
    </div>
  )
}

export const Detail = (props: {
  readonly id: string | undefined
  readonly nameOf: (id: string | null | undefined) => string
}): ReactElement => {
  const { id } = props
  const answer = useQuery(id === undefined ? undefined : one(id))
  const close = (): void => Router.push("Requests")
  return (
    <Sheet open={id !== undefined} onClose={close} title={answer.data?.title || "Request"}>
      <Loaded of={answer} skeleton={<SkeletonRows rows={8} />}>
        {(request) => (
          <div className="stack">
            <Facts request={request} who={props.nameOf(request.userId)} />
            <Actions request={request} />
            <h3 className="section-title">Comments</h3>
            <Comments comments={request.comments} />
            <Answer request={request} />
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}
