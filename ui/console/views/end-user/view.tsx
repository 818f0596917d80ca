/** As an end user: their own requests and notifications, and nothing of anybody else's. */
import { type FormEvent, type ReactElement, useState } from "react"
import * as EndUser from "../../../../clients/end-user/index.js"
import { useMutation, useQuery, useSession } from "../../../rx/index.js"
import { endUsers } from "../../app/config.js"
import { endUser } from "../../app/query-clients.js"
import { mine } from "../../app/rows.js"
import { tell, warn } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { TextField } from "../../design/field.js"
import { Loaded } from "../../design/loaded.js"
import { Badge, Card, PageHead, When, words } from "../../design/show.js"
import { Empty, SkeletonRows } from "../../design/state.js"
import { toneOf, typeGroups } from "../requests/options.js"
import { SignInForm } from "../sign-in/view.js"

const requests = endUser.query(mine.requests, { limit: 50 })
const notifications = endUser.query(mine.notifications, { limit: 10 })
const file = endUser.mutation(EndUser.requests.create)
const see = endUser.mutation(EndUser.notifications.markSeen)

const NewRequest = (): ReactElement => {
  const [title, setTitle] = useState("")
  const [type, setType] = useState("MAINTENANCE")
  const run = useMutation(file)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const outcome = await run.mutate({ payload: { type, title } })
    if (outcome.status === "success") {
      setTitle("")
      tell("Request filed", "The administrators see it at once.")
    }
    if (outcome.status === "error") warn(outcome.error)
  }
  return (
    <Card title="File a request">
      <form className="form" onSubmit={(event) => void submit(event)}>
        <TextField label="What is it about?" value={title} onChange={setTitle} required />
        <div className="field">
          <label htmlFor="request-type">Kind</label>
          <select
            id="request-type"
            className="select"
            value={type}
            onChange={(event) => setType(event.target.value)}
          >
            {typeGroups.map((group) => (
              <optgroup key={group.label} label={group.label}>
                {group.types.map((name) => (
                  <option key={name} value={name}>
                    {words(name)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
        <Button kind="primary" submit busy={run.status === "pending"}>
          File the request
        </Button>
      </form>
    </Card>
  )
}

const plural = (count: number): string => (count === 1 ? "1 comment" : `${count} comments`)

const Requests = (): ReactElement => {
  const answer = useQuery(requests)
  return (
    <Card title="Your requests" flush>
      <Loaded
        of={answer}
        skeleton={<SkeletonRows rows={8} height="3.5rem" />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty icon="requests" title="You have not asked for anything yet" />}
      >
        {({ items }) => (
          <ul className="rows">
            {items.map(({ _id, comments, createdAt, status, title, type }) => (
              <li key={_id}>
                <div className="grow">
                  <h3>{title || words(type ?? "Request")}</h3>
                  <p>
                    {words(type ?? "")} · {plural(comments?.length ?? 0)}
                  </p>
                </div>
                <Badge tone={toneOf(status)} dot>
                  {words(status ?? "unknown")}
                </Badge>
                <span className="faint">
                  <When date={createdAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

const Notifications = (): ReactElement => {
  const answer = useQuery(notifications)
  const run = useMutation(see)
  return (
    <Card title="Notifications" flush>
      <Loaded
        of={answer}
        skeleton={<SkeletonRows rows={4} height="4rem" />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty icon="chat" title="Nothing new" />}
      >
        {({ items }) => (
          <ul className="rows">
            {items.map(({ _id, body, seen, title }) => (
              <li key={_id}>
                <div className="grow">
                  <h3>{title}</h3>
                  <p>{body}</p>
                </div>
                {seen === true ? (
                  <span className="faint">Seen</span>
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
    </Card>
  )
}

const EndUserView = (): ReactElement => {
  const session = useSession(endUser.session)
  if (session.status !== "signed-in") {
    return (
      <div className="sign-in-card">
        <SignInForm
          title="View as an end user"
          lead="Choose somebody who uses your product."
          accounts={endUsers}
          busy={session.status === "signing-in"}
          error={session.status === "signed-out" ? session.error : undefined}
          onSignIn={(email, password) => void session.signIn({ email, password })}
        />
      </div>
    )
  }
  const name = session.identity.audience === "endUser" ? session.identity.user.fullName : undefined
  return (
    <>
      <PageHead
        title={`As ${name ?? "an end user"}`}
        about="What this person sees: their own requests and notifications, and nobody else’s."
      >
        <Button icon="signOut" onClick={() => void session.signOut()}>
          Be somebody else
        </Button>
      </PageHead>
      <div className="split">
        <Requests />
        <div className="stack">
          <NewRequest />
          <Notifications />
        </div>
      </div>
    </>
  )
}

export default EndUserView
