/** As an end user: only their own requests and notifications, and the way to their orders and profile. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import * as EndUser from "../../../../clients/end-user/index.js"
import { useMutation, useQuery, useSession } from "../../../rx/index.js"
import { signedOut } from "../../app/kept.js"
import { Notifications } from "../../app/notices.js"
import { endUser } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { mine } from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { Select, TextField } from "../../design/field.js"
import { Form, useForm } from "../../design/form.js"
import layout from "../../design/layout.module.css"
import { Card, PageHead, Status, When, words } from "../../design/show.js"
import { Empty, Loaded, SkeletonRows } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import { tones, typeGroups } from "../requests/options.js"
import { SignInAgain, SignInForm, useSettled } from "../sign-in/view.js"

const requests = endUser.query(mine.requests, { limit: 50 })
const file = endUser.mutation(EndUser.requests.create)

const NewRequest = (): ReactElement => {
  const { mutate } = useMutation(file)
  const blank = { title: "", type: "MAINTENANCE" }
  const form = useForm(
    blank,
    (payload) => mutate({ payload }),
    () => {
      form.set({ title: "" })
      addToast("Request filed", "The administrators see it at once.")
    }
  )
  return (
    <Card title="File a request">
      <Form of={form}>
        <TextField label="What is it about?" required {...form.field("title")} />
        <Select label="Kind" choices={typeGroups} {...form.field("type")} />
        <Button kind="primary" submit busy={form.busy}>
          File the request
        </Button>
      </Form>
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
        skeleton={<SkeletonRows rows={8} lines={2} />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty icon="requests" title="You have not asked for anything yet" />}
      >
        {({ items }) => (
          <ul className={layout.rows}>
            {items.map(({ _id, comments, createdAt, status, title, type }) => (
              <li key={_id}>
                <div className={layout.grow}>
                  <h3>{title || words(type ?? "Request")}</h3>
                  <p>
                    {words(type ?? "")} · {plural(comments?.length ?? 0)}
                  </p>
                </div>
                <Status of={status} tones={tones} />
                <span className={typography.faint}>
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

const EndUserView = (): ReactElement => {
  const session = useSession(endUser.session)
  const settled = useSettled(session.status)
  if (settled === "signing-in") return <SkeletonRows rows={8} />
  if (settled === "signed-out") {
    return (
      <div className={layout.halves}>
        <SignInForm title="View as an end user" lead="Choose somebody who uses your product." as="endUser" />
      </div>
    )
  }
  const identity = session.status === "signed-in" ? session.identity : undefined
  const name = identity?.audience === "endUser" ? identity.user.fullName : undefined
  const leave = (): void => {
    signedOut("endUser")
    void session.signOut()
  }
  return (
    <>
      <SignInAgain as="endUser" />
      <PageHead
        title={`As ${name ?? "an end user"}`}
        about={
          <>
            What this person sees, and nobody else’s: their requests and notifications, their{" "}
            <Link to={Router.EndUserData({ slice: "orders" })}>orders</Link>, and their{" "}
            <Link to={Router.EndUserData({ slice: "auth" })}>profile</Link>.
          </>
        }
      >
        <Button icon="signOut" onClick={leave}>
          Be somebody else
        </Button>
      </PageHead>
      <div className={layout.split}>
        <Requests />
        <div className={layout.stack}>
          <NewRequest />
          <Card title="Notifications" flush>
            <Notifications />
          </Card>
        </div>
      </div>
    </>
  )
}

export default EndUserView
