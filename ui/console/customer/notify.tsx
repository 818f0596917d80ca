/** Notifies customers: one, several, or everybody. What they will see stands beside what is written. */
import { useMutation, useQuery } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { channels } from "@quartet/sdk/extend/models/notifications"
import type { ReactElement, ReactNode } from "react"
import { useCellValue } from "../app/cells.js"
import { admin } from "../app/query-clients.js"
import { type UserRow, users } from "../app/rows.js"
import { projectName } from "../app/summary.js"
import { addToast } from "../app/toasts.js"
import { Form, useForm } from "../data/form.js"
import { Button } from "../design/button.js"
import { Actions, ask, Dialog } from "../design/dialog.js"
import { Segmented, TextArea, TextField } from "../design/field.js"
import { number } from "../design/format.js"
import { Icon, type IconName } from "../design/icon.js"
import { customerName } from "./data.js"

type Channel = (typeof channels)[number]

/** Who is notified: customers, or everybody. */
export type Receivers = ReadonlyArray<UserRow> | "everybody"

interface ChannelText {
  readonly label: string
  /** As in "Notified by SMS". */
  readonly by: string
  readonly icon: IconName
  /** What the first line is called; none where there is no such line. */
  readonly title?: string
  /** What a customer needs for it. */
  readonly needs?: "email" | "phone"
}

const texts: Readonly<Record<Channel, ChannelText>> = {
  EMAIL: { label: "Email", by: "by email", icon: "mail", title: "Subject", needs: "email" },
  SMS: { label: "SMS", by: "by SMS", icon: "phone", needs: "phone" },
  PUSH: { label: "Push", by: "by push notification", icon: "bell", title: "Title" },
  IN_APP: { label: "In-app", by: "in the app", icon: "bell", title: "Title" }
}

const choices = channels.map((value) => ({ value, label: texts[value].label }))

/** How many messages a text takes: one has 160 characters of the Latin alphabet, or 70 of any other. */
const messagesOf = (text: string): number => {
  const isLatin = /^[\n\r -~£¥èéùìòÇØøÅåÄÖÑÜ§äöñüà€]*$/.test(text)
  const [alone, joined] = isLatin ? [160, 153] : [70, 67]
  return text.length <= alone ? 1 : Math.ceil(text.length / joined)
}

const counted = (count: number | undefined): string =>
  count === undefined ? "all customers" : count === 1 ? "1 customer" : `${number(count)} customers`

const send = admin.mutation(Admin.notifications.send)
/** How many customers there are. */
const everyone = admin.query(users.list, { limit: 1 })

const Preview = (props: {
  readonly channel: Channel
  readonly title: string
  readonly body: string
}): ReactElement => {
  const { body, channel, title } = props
  const sender = useCellValue(projectName) || "Your project"
  const isSms = channel === "SMS"
  const first = title.trim()
  return (
    <section className="notice" aria-label="Preview">
      <p className="flex items-center gap-2 text-xs text-muted">
        <Icon name={texts[channel].icon} />
        <span className="min-w-0 flex-1 truncate">{sender}</span>
        now
      </p>
      {!isSms && first !== "" && <p className="mt-1.5 font-semibold wrap-anywhere">{first}</p>}
      {body.trim() === "" ? (
        (isSms || first === "") && <p className="mt-1.5 text-faint">Your message appears here.</p>
      ) : (
        <p className={isSms ? "said" : "mt-1 wrap-anywhere whitespace-pre-line"}>{body}</p>
      )}
    </section>
  )
}

/** Who of the receivers cannot be reached by a channel, as far as their rows tell. */
const unreachable = (to: Receivers, { needs }: ChannelText): ReadonlyArray<UserRow> =>
  to === "everybody" || needs === undefined ? [] : to.filter((row) => !row[needs])

const Reach = (props: { readonly to: Receivers; readonly channel: Channel }): ReactNode => {
  const { channel, to } = props
  const missing = unreachable(to, texts[channel])
  if (missing.length === 0) return null
  const what = texts[channel].needs === "phone" ? "phone number" : "email address"
  const who = missing.length === 1 ? customerName(missing[0]) : `${number(missing.length)} of them`
  return (
    <p className="text-xs text-warn" role="status">
      {who} {missing.length === 1 ? "has" : "have"} no {what}.
    </p>
  )
}

export const NotifyForm = (props: {
  readonly to: Receivers
  readonly onDone?: (() => void) | undefined
  readonly onCancel?: (() => void) | undefined
}): ReactElement => {
  const { onCancel, onDone, to } = props
  const sending = useMutation(send)
  const total = useQuery(to === "everybody" ? everyone : undefined).data?.paging.total
  const count = to === "everybody" ? total : to.length
  const one = to !== "everybody" && to.length === 1 ? to[0] : undefined
  const who =
    one === undefined
      ? to === "everybody" && total !== undefined
        ? `all ${counted(total)}`
        : counted(count)
      : customerName(one)
  const initial = {
    channel: one !== undefined && !one.email && one.phone ? "SMS" : "EMAIL",
    title: "",
    body: ""
  }
  const form = useForm(
    initial,
    async ({ body, title, ...values }) => {
      const channel = channelOf(values.channel)
      const { by, title: firstLine } = texts[channel]
      if (one === undefined) {
        const isAgreed = await ask({
          title: `Notify ${who} ${by}?`,
          description: "This cannot be undone.",
          action: `Notify ${who}`,
          children: <Preview channel={channel} title={title} body={body} />
        })
        if (!isAgreed) return undefined
      }
      const ended = await sending.mutate({
        payload: {
          ...(to === "everybody"
            ? { toAll: true }
            : one === undefined
              ? { userIds: to.map(({ _id }) => _id) }
              : { userId: one._id }),
          channel,
          ...(firstLine !== undefined && title.trim() !== "" && { title: title.trim() }),
          ...(body.trim() !== "" && { body: body.trim() })
        }
      })
      if (ended.status === "success") {
        const sent = Object(ended.data).sent
        const isPart = typeof sent === "number" && count !== undefined && sent < count
        addToast(isPart ? `Notified ${number(sent)} of ${counted(count)} ${by}` : `Notified ${who} ${by}`)
      }
      return ended
    },
    // A form that stays is empty again.
    onDone ?? ((): void => form.set(initial)),
    `admin.notify/${
      to === "everybody"
        ? "everybody"
        : to
            .map(({ _id }) => _id)
            .join(",")
            .slice(0, 200)
    }`
  )
  const channel = channelOf(form.values.channel)
  const { title } = texts[channel]
  const { body } = form.values
  const hasTitle = title !== undefined && form.values.title.trim() !== ""
  return (
    <Form of={form} doing={`Notify ${who}`} className="grid gap-4">
      <div className="notify">
        <div className="grid content-start gap-3.5">
          <div className="grid gap-1.5">
            <span className="text-sm font-medium" aria-hidden="true">
              Send by
            </span>
            <Segmented
              label="Send by"
              choices={choices}
              value={channel}
              onChange={(channel) => form.set({ channel })}
            />
            <Reach to={to} channel={channel} />
          </div>
          {title !== undefined && <TextField label={title} {...form.field("title")} />}
          <TextArea
            label="Text"
            rows={6}
            required={!hasTitle}
            {...(channel === "SMS" && {
              hint: `${body.length === 1 ? "1 character" : `${number(body.length)} characters`}, ${messagesOf(body) === 1 ? "1 message" : `${messagesOf(body)} messages`}`
            })}
            {...form.field("body")}
          />
        </div>
        <div className="grid content-start gap-1.5">
          <span className="text-sm font-medium" aria-hidden="true">
            Preview
          </span>
          <Preview channel={channel} title={title === undefined ? "" : form.values.title} body={body} />
        </div>
      </div>
      <Actions>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button kind="primary" type="submit" icon="send" busy={form.busy}>
          Notify {who}
        </Button>
      </Actions>
    </Form>
  )
}

const channelOf = (text: string): Channel => channels.find((channel) => channel === text) ?? "EMAIL"

/** The form over the page, for customers of a list or for one. */
export const NotifyDialog = (props: {
  readonly to: ReadonlyArray<UserRow>
  readonly onClose: () => void
}): ReactElement => {
  const { onClose, to } = props
  const [first] = to
  return (
    <Dialog
      open
      place="upper"
      title={to.length === 1 ? `Notify ${customerName(first)}` : `Notify ${counted(to.length)}`}
      {...(to.length > 1 && { description: namesOf(to) })}
      onClose={onClose}
    >
      <NotifyForm to={to} onDone={onClose} onCancel={onClose} />
    </Dialog>
  )
}

/** So many receivers are named; the others are counted. */
const named = 4

const namesOf = (to: ReadonlyArray<UserRow>): string => {
  const names = to.slice(0, named).map(customerName).join(", ")
  return to.length > named ? `${names} and ${number(to.length - named)} more` : names
}
