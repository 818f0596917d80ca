/** As a program on a server: notifications to end users, and payments by link, with the project's private key. */
import { type FormEvent, type ReactElement, useState } from "react"
import * as Private from "../../../../clients/private/index.js"
import { useMutation, useQuery } from "../../../rx/index.js"
import { server } from "../../app/query-clients.js"
import { tell, warn } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { TextArea, TextField } from "../../design/field.js"
import { Loaded } from "../../design/loaded.js"
import { Card, PageHead } from "../../design/show.js"
import { Note, Skeleton } from "../../design/state.js"

const project = server.query(Private.project.self)
const notify = server.mutation(Private.notifications.sendInApp)
const text = server.mutation(Private.notifications.sendSms)
const ask = server.mutation(Private.payments.payWithLink)

const Notification = (): ReactElement => {
  const [title, setTitle] = useState("")
  const [body, setBody] = useState("")
  const run = useMutation(notify)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const outcome = await run.mutate({ payload: { toAll: true, title, body } })
    if (outcome.status === "success") {
      setTitle("")
      setBody("")
      tell("Notification sent", "Every end user finds it in their list.")
    }
    if (outcome.status === "error") warn(outcome.error)
  }
  return (
    <Card title="Notify all end users">
      <form className="form" onSubmit={(event) => void submit(event)}>
        <TextField label="Title" value={title} onChange={setTitle} required />
        <TextArea label="Text" value={body} onChange={setBody} />
        <Button kind="primary" icon="send" submit busy={run.status === "pending"}>
          Send to everybody
        </Button>
      </form>
    </Card>
  )
}

const Sms = (): ReactElement => {
  const [to, setTo] = useState("")
  const [body, setBody] = useState("")
  const run = useMutation(text)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const outcome = await run.mutate({ to, body })
    if (outcome.status === "success") {
      setBody("")
      tell("Text message sent", to)
    }
    if (outcome.status === "error") warn(outcome.error)
  }
  return (
    <Card title="Send a text message">
      <form className="form" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Number"
          type="tel"
          hint="Such as +995555123456"
          value={to}
          onChange={setTo}
          required
        />
        <TextField label="Message" value={body} onChange={setBody} required />
        <Button submit busy={run.status === "pending"}>
          Send the message
        </Button>
      </form>
    </Card>
  )
}

const linkIn = (answer: unknown): string | undefined =>
  typeof answer === "object" && answer !== null && "link" in answer && typeof answer.link === "string"
    ? answer.link
    : undefined

const PayByLink = (): ReactElement => {
  const [amount, setAmount] = useState("25")
  const run = useMutation(ask)
  const link = run.status === "success" ? linkIn(run.data) : undefined
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const outcome = await run.mutate({ payload: { amount: Number(amount), currency: "USD" } })
    if (outcome.status === "error") warn(outcome.error)
  }
  return (
    <Card title="Ask for a payment">
      <form className="form" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Amount in US dollars"
          type="number"
          min={1}
          value={amount}
          onChange={setAmount}
          required
        />
        <Button submit busy={run.status === "pending"}>
          Make a link
        </Button>
        {link !== undefined && (
          <Note tone="good">
            Whoever opens this link can pay: <code>{link}</code>
          </Note>
        )}
      </form>
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
      <div className="stack">
        <Note tone="warn">
          A private key belongs on a server and nowhere else. It stands in this page only because it is the
          sandbox’s, and everything here is made up.
        </Note>
        <p className="quiet">
          Project:{" "}
          <Loaded of={answer} skeleton={<Skeleton width="8rem" />}>
            {({ name }) => <strong>{name}</strong>}
          </Loaded>
        </p>
        <div className="grid-2">
          <Notification />
          <div className="stack">
            <Sms />
            <PayByLink />
          </div>
        </div>
      </div>
    </>
  )
}

export default Server
