/** As an end user: only their own requests, orders, notifications and profile. */
import type { ReactElement } from "react"
import * as EndUser from "../../../../clients/end-user/index.js"
import { useMutation, useQuery, useSession } from "../../../rx/index.js"
import { signedOut } from "../../app/kept.js"
import { Notifications } from "../../app/notices.js"
import { endUser } from "../../app/query-clients.js"
import { mine, type UserRow } from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { Select, TextField } from "../../design/field.js"
import { Form, useForm } from "../../design/form.js"
import layout from "../../design/layout.module.css"
import { Card, money, PageHead, Status, When, words } from "../../design/show.js"
import { Empty, Loaded, SkeletonRows } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import { tones, typeGroups } from "../requests/options.js"
import { SignInAgain, SignInForm, useSettled } from "../sign-in/view.js"
import styles from "./end-user.module.css"

const requests = endUser.query(mine.requests, { limit: 50 })
const orders = endUser.query(mine.orders, { payload: { limit: 50 } })
const self = endUser.query(mine.self)
const file = endUser.mutation(EndUser.requests.create)
const change = endUser.mutation(EndUser.auth.update)

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

const Orders = (): ReactElement => {
  const answer = useQuery(orders)
  return (
    <Card title="Your orders" flush>
      <Loaded
        of={answer}
        skeleton={<SkeletonRows rows={4} />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty icon="commerce" title="You have not ordered anything yet" />}
      >
        {({ items }) => (
          <ul className={layout.rows}>
            {items.map(({ _id, createdAt, currency, number, status, total }) => (
              <li key={_id}>
                <div className={layout.grow}>
                  <h3>{number}</h3>
                  <p>
                    <When date={createdAt} />
                  </p>
                </div>
                <Status of={status} tones={{ delivered: "good", paid: "good", cancelled: "bad" }} />
                <span className={typography.number}>{money(total ?? 0, currency ?? "USD")}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

const ProfileForm = ({ of }: { readonly of: UserRow }): ReactElement => {
  const { mutate } = useMutation(change)
  const known = { fullName: of.fullName ?? "", phone: of.phone ?? "", city: of.city ?? "" }
  const form = useForm(
    known,
    (payload) => mutate({ payload }),
    () => addToast("Profile saved")
  )
  return (
    <Form of={form}>
      <TextField label="Name" required {...form.field("fullName")} />
      <TextField label="Telephone" type="tel" {...form.field("phone")} />
      <TextField label="City" {...form.field("city")} />
      <Button kind="primary" submit busy={form.busy}>
        Save the profile
      </Button>
    </Form>
  )
}

const Profile = (): ReactElement => {
  const answer = useQuery(self)
  return (
    <Card title="Your profile">
      <Loaded of={answer} skeleton={<SkeletonRows rows={3} />}>
        {(found) => <ProfileForm of={found} />}
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
      <div className={styles.signIn}>
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
        about="What this person sees: their own requests, orders, notifications and profile, and nobody else’s."
      >
        <Button icon="signOut" onClick={leave}>
          Be somebody else
        </Button>
      </PageHead>
      <div className={layout.split}>
        <div className={layout.stack}>
          <Requests />
          <Orders />
        </div>
        <div className={layout.stack}>
          <NewRequest />
          <Card title="Notifications" flush>
            <Notifications />
          </Card>
          <Profile />
        </div>
      </div>
    </>
  )
}

export default EndUserView
