/** One customer: who it is and how to reach them, what is open, and their whole story; what can be done with them. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { isSecretData } from "@quartet/sdk/extend"
import { pushUnsafe } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useLayoutEffect, useRef, useState } from "react"
import { useCommands } from "../../app/commands.js"
import { explain } from "../../app/explain.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { ProfileRow, UserRow } from "../../app/rows.js"
import { Status } from "../../app/status.js"
import { Contact, dialled } from "../../customer/contact.js"
import { customer, customerName } from "../../customer/data.js"
import { Button } from "../../design/button.js"
import { month, number } from "../../design/format.js"
import { MenuButton } from "../../design/menu.js"
import { Avatar, Badge, FactList, type Facts, Kbd, words } from "../../design/show.js"
import { Detail, Thing } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { profile } from "./data.js"
import { EditCustomer } from "./form.js"
import { Story, useStory } from "./story.js"

/** What can be done with a customer, each as far as the role allows it. */
export interface CustomerActions {
  readonly notify?: ((of: UserRow) => void) | undefined
  readonly edit?: ((of: UserRow) => void) | undefined
  readonly remove?: ((of: UserRow) => void) | undefined
}

/** The fields that the view shows; all others stand under "More". */
const known = [
  "fullName",
  "email",
  "phone",
  "city",
  "about",
  "interests",
  "type",
  "status",
  "createdAt",
  "followers",
  "followings",
  "items",
  "orders"
]

/** A text of which six lines are seen until one asks for all. */
const Folded = ({ text }: { readonly text: string }): ReactElement => {
  const place = useRef<HTMLParagraphElement>(null)
  const [isLong, setLong] = useState(false)
  const [isAll, setAll] = useState(false)
  useLayoutEffect(() => {
    const { clientHeight = 0, scrollHeight = 0 } = place.current ?? {}
    setLong(scrollHeight > clientHeight + 1)
  }, [text])
  return (
    <div>
      <p ref={place} className={`prose mb-0! ${isAll ? "" : "line-clamp-6"}`}>
        {text}
      </p>
      {(isLong || isAll) && (
        <Button size="s" kind="ghost" className="-ml-2" onClick={() => setAll(!isAll)}>
          {isAll ? "Show less" : "Show all"}
        </Button>
      )}
    </div>
  )
}

const figures: ReadonlyArray<readonly [keyof ProfileRow & string, string]> = [
  ["followers", "Followers"],
  ["followings", "Follows"],
  ["items", "Items"]
]

/** What they say of themselves, and what the shop says of them. */
const About = (props: { readonly of: UserRow; readonly profile: ProfileRow | undefined }): ReactNode => {
  const { about, interests } = props.of
  const facts: Facts = [
    ...(interests && interests.length > 0
      ? ([
          [
            "Interests",
            <span key="" className="row gap-1!">
              {interests.map((word) => (
                <Badge key={word}>{word}</Badge>
              ))}
            </span>
          ]
        ] as const)
      : []),
    ...figures.flatMap(([name, label]) => {
      const value = props.profile?.[name]
      return typeof value === "number" ? [[label, number(value)] as const] : []
    })
  ]
  if (!about && facts.length === 0) return null
  return (
    <section className="mt-6 grid grid-cols-1 gap-2.5" aria-label="About">
      <h3>About</h3>
      {about && <Folded text={about} />}
      {facts.length > 0 && <FactList of={facts} />}
    </section>
  )
}

const aboutOf = ({ city, createdAt, type }: UserRow): ReactNode =>
  [type && words(type), city, createdAt instanceof Date && `customer since ${month(createdAt)}`]
    .filter(Boolean)
    .join(" · ") || undefined

const Actions = (props: {
  readonly of: UserRow
  readonly actions: CustomerActions
  /** Their last conversation. */
  readonly chat: string | undefined
}): ReactElement => {
  const { actions, chat, of } = props
  const { edit, notify, remove } = actions
  return (
    <>
      {of.phone && (
        <a className="press-link md:hidden" href={`tel:${dialled(of.phone)}`}>
          Call
        </a>
      )}
      {of.email && (
        <a className="press-link md:hidden" href={`mailto:${of.email}`}>
          Email
        </a>
      )}
      {notify && (
        <Button kind="primary" icon="send" className="max-md:grow" onClick={() => notify(of)}>
          Notify
          <span className="max-md:hidden">
            <Kbd keys="m" />
          </span>
        </Button>
      )}
      {edit && (
        <Button icon="edit" className="max-md:hidden" onClick={() => edit(of)}>
          Edit
          <Kbd keys="e" />
        </Button>
      )}
      {(chat !== undefined || edit || remove) && (
        <MenuButton
          isIcon
          label="More actions"
          items={[
            ...(chat === undefined
              ? []
              : [{ label: "Reply in chat", icon: "reply" as const, keys: "r", to: chat }]),
            ...(edit ? [{ label: "Edit", icon: "edit" as const, keys: "e", onAction: () => edit(of) }] : []),
            ...(remove
              ? [
                  {
                    label: "Delete…",
                    icon: "trash" as const,
                    keys: "Delete",
                    isDanger: true,
                    onAction: () => remove(of)
                  }
                ]
              : [])
          ]}
        />
      )}
      {!edit && (
        <span className="quiet">You can view customers, but your role does not let you change them.</span>
      )}
    </>
  )
}

const withoutSecrets = (of: object): object =>
  Object.fromEntries(Object.entries(of).filter(([name]) => !isSecretData(name)))

const Customer = (props: {
  readonly of: UserRow
  readonly actions: CustomerActions
  /** Whether it is in the list, whose keys are then those of the row. */
  readonly isListed: boolean
  readonly isEdited: boolean
  readonly onEdited: () => void
}): ReactElement => {
  const { actions, isEdited, isListed, of } = props
  const { _id: id, status } = of
  const session = useSession(admin.session)
  const story = useStory(id)
  const shop = useQuery(session.can(Admin.profiles.get) ? profile(id) : undefined)
  const [lastChat] = story.chats.items
  const chat = lastChat && Router.Conversation({ id: lastChat._id })
  const { edit, notify, remove } = actions
  useCommands([
    ...(chat === undefined
      ? []
      : [{ label: "Reply in chat", icon: "reply" as const, keys: "r", run: () => pushUnsafe(chat) }]),
    ...(isListed
      ? []
      : [
          ...(notify ? [{ label: "Notify", icon: "send" as const, keys: "m", run: () => notify(of) }] : []),
          ...(edit ? [{ label: "Edit", icon: "edit" as const, keys: "e", run: () => edit(of) }] : []),
          ...(remove
            ? [{ label: "Delete", icon: "trash" as const, keys: "Delete", run: () => remove(of) }]
            : [])
        ])
  ])
  const name = customerName(of)
  const shopFailed = shop.error !== undefined && Object(shop.error)._tag !== "NotFound"
  return (
    <Detail
      title={name}
      lead={<Avatar name={name} size="l" />}
      about={aboutOf(of)}
      tools={status !== "active" && <Status of={status} />}
      actions={isEdited ? undefined : <Actions of={of} actions={actions} chat={chat} />}
    >
      {isEdited ? (
        <EditCustomer of={of} onDone={props.onEdited} />
      ) : (
        <>
          <Contact of={of} />
          <Story of={story} />
          <About of={of} profile={shop.data} />
          {shopFailed && <p className="mt-3 quiet">Shop profile: {explain(shop.error).title}.</p>}
          <More of={withoutSecrets({ ...shop.data, ...of })} known={known} />
        </>
      )}
    </Detail>
  )
}

export const CustomerDetail = (props: {
  readonly id: string
  readonly row: UserRow | undefined
  readonly actions: CustomerActions
  readonly isEdited: boolean
  readonly onEdited: () => void
}): ReactElement => {
  const { id, row, ...rest } = props
  return (
    <Thing of={useQuery(customer(id))} row={row} noun="customer">
      {(of) => <Customer key={of._id} of={of} isListed={row !== undefined} {...rest} />}
    </Thing>
  )
}
