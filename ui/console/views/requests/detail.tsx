/** One request: what was asked for first, then what happened to it; an answer, and whose it is. */

import { useMutation, useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import { type ReactElement, useEffect } from "react"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { RequestRow } from "../../app/rows.js"
import { Status } from "../../app/status.js"
import { AboutCustomer } from "../../customer/about.js"
import { customer, requestName } from "../../customer/data.js"
import { FactList, When, words } from "../../design/show.js"
import { Composer } from "../../frame/composer.js"
import { Detail, Thing, useFrame } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { Pictures } from "../../frame/pictures.js"
import { StatusBar } from "../../frame/status-menu.js"
import { factsOf } from "../../frame/values.js"
import { useStatusChange } from "./change-status.js"
import { byId, comment, isNew, isUnseenByThem, nextStatuses, see, statusChoices } from "./data.js"
import { Timeline } from "./timeline.js"

/** The fields that the view shows; all others stand under "More". */
const known = [
  "title",
  "description",
  "type",
  "status",
  "data",
  "comments",
  "review",
  "userId",
  "createdAt",
  "updatedAt",
  "seenByAdmin",
  "seenByUser"
]

/** Milliseconds that a request is on the screen until it counts as seen. */
const readingTime = 1_000

const Seen = ({ of: { _id: id, version } }: { readonly of: RequestRow }): null => {
  const { mutate } = useMutation(see)
  useEffect(() => {
    // A refusal tells that there is a newer version, which is then seen.
    const timer = setTimeout(() => void mutate({ id, version: version ?? 0 }), readingTime)
    return () => clearTimeout(timer)
  }, [id, version])
  return null
}

const aboutOf = (request: RequestRow, who: string): ReactElement => (
  <>
    {request.userId && who && (
      <>
        <Link to={Router.Customer({ id: request.userId })}>{who}</Link> ·{" "}
      </>
    )}
    {[request.type && words(request.type), request.createdAt && "sent "].filter(Boolean).join(" · ")}
    <When date={request.createdAt} long />
    {isUnseenByThem(request) && " · they have not seen your reply yet"}
  </>
)

const Request = ({ request }: { readonly request: RequestRow }): ReactElement => {
  const { _id: id, data, description, status, userId } = request
  const session = useSession(admin.session)
  const frame = useFrame()
  const who = useQuery(userId ? customer(userId) : undefined)
  const { busy, set } = useStatusChange()
  const answering = useMutation(comment)
  const canUpdate = session.can(Admin.requests.update)
  const name = who.data?.fullName ?? ""
  const { pictures, ...facts } = Object(data)
  const answer = async (text: string) => answering.mutate({ id, payload: { text } })
  // What is sent here gets another version, and counts as seen by itself.
  const isSending = busy || answering.status === "pending"
  return (
    <Detail
      title={requestName(request)}
      about={aboutOf(request, name)}
      actions={
        canUpdate ? (
          <StatusBar
            status={status}
            choices={statusChoices}
            next={nextStatuses(status)}
            busy={busy}
            onSet={(next, isNext) => {
              void set([request], next)
              if (isNext) frame?.next()
            }}
          />
        ) : (
          <>
            <Status of={status} />
            <span className="quiet">You can view requests, but your role does not let you change them.</span>
          </>
        )
      }
      aside={<AboutCustomer id={userId} except={id} />}
      asideLabel="Customer"
      foot={
        session.can(Admin.requests.addComment) && (
          <Composer
            key={id}
            label="Reply"
            doing={`Reply to “${requestName(request)}”`}
            letter="r"
            placeholder={name ? `Reply to ${name.split(" ")[0]}…` : "Write a reply…"}
            draft={`admin.requests/${id}`}
            sendBy="mod Enter"
            action="Send"
            send={answer}
            sendNext={frame && { label: "Send and next", run: frame.next }}
          />
        )
      }
    >
      {frame?.isChosen && isNew(request) && canUpdate && !isSending && <Seen of={request} />}
      {description ? <p className="prose">{description}</p> : <p className="mb-3 quiet">No message.</p>}
      <Pictures of={pictures} />
      <FactList of={factsOf(facts)} />
      <Timeline of={request} who={name} />
      <More of={request} known={known} />
    </Detail>
  )
}

export const RequestDetail = (props: {
  readonly id: string
  readonly row: RequestRow | undefined
}): ReactElement => (
  <Thing of={useQuery(byId(props.id))} row={props.row} noun="request">
    {(request) => <Request key={request._id} request={request} />}
  </Thing>
)
