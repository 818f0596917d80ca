/** A notification to one end user, over the channel of choice. */
import type { ReactElement } from "react"
import * as Admin from "../../../clients/admin/index.js"
import { channels } from "../../../core/notifications/model.js"
import { useMutation, useQuery } from "../../rx/index.js"
import { Button } from "../design/button.js"
import { Actions, Dialog } from "../design/dialog.js"
import { Select, TextArea, TextField } from "../design/field.js"
import { Form, useForm } from "../design/form.js"
import { Loaded, SkeletonRows } from "../design/state.js"
import { change } from "./cells.js"
import { everyone } from "./names.js"
import { admin } from "./query-clients.js"
import type { UserRow } from "./rows.js"
import { isNotifyOpen } from "./shortcuts.js"
import { addToast } from "./toasts.js"

const send = admin.mutation(Admin.notifications.send)

const close = (): void => change(isNotifyOpen, () => false)

const labels = { EMAIL: "E-mail", SMS: "Text message", PUSH: "Push", IN_APP: "In the app" } as const

const Fields = ({ users }: { readonly users: ReadonlyArray<UserRow> }): ReactElement => {
  const { mutate } = useMutation(send)
  const blank = { userId: users[0]?._id ?? "", channel: "IN_APP", title: "", body: "" }
  const form = useForm(
    blank,
    (payload) => mutate({ payload }),
    () => {
      addToast("Notification sent", users.find(({ _id }) => _id === form.values.userId)?.fullName ?? "")
      close()
    }
  )
  return (
    <Form of={form}>
      <Select
        label="To"
        choices={users.map(({ _id, email, fullName }) => ({ value: _id, label: fullName ?? email ?? _id }))}
        {...form.field("userId")}
      />
      <Select
        label="How"
        choices={channels.map((value) => ({ value, label: labels[value] }))}
        {...form.field("channel")}
      />
      <TextField label="Title" required {...form.field("title")} />
      <TextArea label="Text" {...form.field("body")} />
      <Actions>
        <Button onClick={close}>Cancel</Button>
        <Button kind="primary" icon="send" submit busy={form.busy}>
          Send the notification
        </Button>
      </Actions>
    </Form>
  )
}

/** The dialog that writes one. */
export const Notify = (): ReactElement => {
  const answer = useQuery(everyone)
  return (
    <Dialog open onClose={close} title="Notify an end user">
      <Loaded of={answer} skeleton={<SkeletonRows rows={4} />}>
        {({ items }) => <Fields users={items} />}
      </Loaded>
    </Dialog>
  )
}
