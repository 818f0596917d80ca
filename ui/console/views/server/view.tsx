/** As a program on a server: notifications to end users, and payments by link, with the project's private key. */
import type { ReactElement } from "react"
import * as Private from "../../../../clients/private/index.js"
import { useMutation, useQuery } from "../../../rx/index.js"
import { server } from "../../app/query-clients.js"
import { addToast } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { useAsk } from "../../design/dialog.js"
import { TextArea, TextField } from "../../design/field.js"
import { Form, useForm } from "../../design/form.js"
import layout from "../../design/layout.module.css"
import { Card, PageHead } from "../../design/show.js"
import { Loaded, Note, Skeleton } from "../../design/state.js"
import typography from "../../design/typography.module.css"

const project = server.query(Private.project.self)
const notify = server.mutation(Private.notifications.sendInApp)
const text = server.mutation(Private.notifications.sendSms)
const ask = server.mutation(Private.payments.payWithLink)

const Notification = (): ReactElement => {
  const { mutate } = useMutation(notify)
  const [dialog, ask] = useAsk()
  const blank = { title: "", body: "" }
  const send = async (words: typeof blank) => {
    const isAgreed = await ask({
      title: `Send “${words.title}” to everybody?`,
      description: "Every end user of the project gets it at once. It cannot be taken back.",
      action: "Send it to everybody"
    })
    return isAgreed ? mutate({ payload: { toAll: true, ...words } }) : undefined
  }
  const form = useForm(
    blank,
    send,
    () => {
      form.set(blank)
      addToast("Notification sent", "Every end user finds it in their list.")
    },
    "notification"
  )
  return (
    <Card title="Notify all end users">
      <Form of={form}>
        <TextField label="Title" required {...form.field("title")} />
        <TextArea label="Text" {...form.field("body")} />
        <Button kind="primary" icon="send" submit busy={form.busy}>
          Send to everybody
        </Button>
      </Form>
      {dialog}
    </Card>
  )
}

const Sms = (): ReactElement => {
  const { mutate } = useMutation(text)
  const form = useForm({ to: "", body: "" }, mutate, () => {
    form.set({ body: "" })
    addToast("Text message sent", form.values.to)
  })
  return (
    <Card title="Send a text message">
      <Form of={form}>
        <TextField label="Number" type="tel" hint="Such as +995555123456" {...form.field("to")} />
        <TextField label="Message" {...form.field("body")} />
        <Button submit busy={form.busy}>
          Send the message
        </Button>
      </Form>
    </Card>
  )
}

const linkIn = (answer: unknown): string | undefined =>
  typeof answer === "object" && answer !== null && "link" in answer && typeof answer.link === "string"
    ? answer.link
    : undefined

const PayByLink = (): ReactElement => {
  const run = useMutation(ask)
  const link = run.status === "success" ? linkIn(run.data) : undefined
  const form = useForm({ amount: "25" }, ({ amount }) =>
    run.mutate({ payload: { amount: Number(amount), currency: "USD" } })
  )
  return (
    <Card title="Ask for a payment">
      <Form of={form}>
        <TextField label="Amount in US dollars" type="number" min={1} required {...form.field("amount")} />
        <Button submit busy={form.busy}>
          Make a link
        </Button>
        {link !== undefined && (
          <Note tone="good">
            Whoever opens this link can pay: <code>{link}</code>
          </Note>
        )}
      </Form>
    </Card>
  )
}

const Server = (): ReactElement => {
  const answer = useQuery(project)
  return (
    <>
      <PageHead
        title="As a server"
        about="What your own programs do in the background. The platform knows them by the private key."
      />
      <div className={layout.stack}>
        <Note tone="warn">
          A private key belongs on a server and nowhere else. It stands in this page only because it is the
          sandbox’s, and everything here is made up.
        </Note>
        <p className={typography.quiet}>
          Project:{" "}
          <Loaded of={answer} skeleton={<Skeleton width="8rem" />}>
            {({ name }) => <strong>{name}</strong>}
          </Loaded>
        </p>
        <div className={layout.halves}>
          <Notification />
          <div className={layout.stack}>
            <Sms />
            <PayByLink />
          </div>
        </div>
      </div>
    </>
  )
}

export default Server
