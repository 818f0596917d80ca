/** Chat: the conversations with customers, live, and the selected one beside them. */

import { type Connection, useChat, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import type { ReactElement } from "react"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { ConversationRow } from "../../app/rows.js"
import { useCustomerCommands } from "../../customer/row-commands.js"
import { type ListState, useListState } from "../../data/list-state.js"
import { Button } from "../../design/button.js"
import { Select } from "../../design/field.js"
import { number, when } from "../../design/format.js"
import { Avatar, Badge, type Tone, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import type { InboxRow } from "../../frame/inbox.js"
import type { RowCommand } from "../../frame/list-pane.js"
import { Tabs } from "../../frame/tabs.js"
import { Workplace } from "../../frame/workplace.js"
import { useStatusChange } from "./change-status.js"
import { live } from "./data.js"
import { ConversationDetail } from "./detail.js"
import { isClosed, isIn, type Tab, type Talk, tabOf, tabs, useTalks } from "./talks.js"

type NameOf = ReturnType<typeof useTalks>["nameOf"]

const connectionOf = (connection: Connection<unknown>): readonly [Tone, string] => {
  if (connection.status === "connected") return ["good", "Connected"]
  if (connection.status === "connecting") return ["calm", "Connecting…"]
  return connection.status === "reconnecting" ? ["warn", "Reconnecting…"] : ["bad", "Not connected"]
}

/** Whether what is written comes at once; a way to connect again where it does not. */
const ConnectionState = (): ReactElement => {
  const { connection, reopen } = useChat(live)
  const [tone, text] = connectionOf(connection)
  return (
    <>
      <span role="status">
        <Badge tone={tone} dot>
          {text}
        </Badge>
      </span>
      {tone === "bad" && (
        <Button size="s" className="ml-2" onClick={reopen}>
          Reconnect
        </Button>
      )}
    </>
  )
}

const lineOf = ({ isOurs, text }: Talk): string => (isOurs ? `You: ${text}` : text)

const badgeOf = ({ hasFailed, row, unread }: Talk, tab: Tab): ReactElement | undefined => {
  if (hasFailed) return <Badge tone="bad">Not sent</Badge>
  // It stays until another one is selected, and says that it belongs elsewhere now.
  if (tab !== "unread" && isClosed(row) !== (tab === "closed"))
    return <Badge>{words(row.status ?? "")}</Badge>
  return unread > 0 ? <Badge tone="accent">{unread}</Badge> : undefined
}

const rowOf =
  (nameOf: NameOf, tab: Tab) =>
  (talk: Talk): InboxRow => {
    const { at, customer, hasFailed, row, unread } = talk
    const name = nameOf(row, customer)
    const badge = badgeOf(talk, tab)
    const parts = [
      name,
      unread > 0 && `${unread} unread`,
      hasFailed && "not sent",
      lineOf(talk),
      at instanceof Date && when(at)
    ]
    return {
      lead: (
        <span className="inbox-lead">
          <Avatar name={name} />
        </span>
      ),
      title: name,
      at,
      isNew: unread > 0,
      line: lineOf(talk) || row.topic,
      ...(badge && { badge }),
      spoken: parts.filter(Boolean).join(", ").replaceAll(/\s+/g, " ")
    }
  }

/** The columns of the file. */
const columnsFor = (nameOf: NameOf): ReadonlyArray<Column<Talk>> => [
  { title: "Customer", value: ({ customer, row }) => nameOf(row, customer) },
  { title: "Topic", value: ({ row }) => row.topic },
  { title: "Status", value: ({ row }) => words(row.status ?? "") },
  { title: "Unread", value: ({ unread }) => unread },
  { title: "Last message", value: ({ text }) => text },
  { title: "Sent", value: ({ at }) => at },
  { title: "Started", value: ({ row }) => row.createdAt }
]

const tabLabels: Readonly<Record<Tab, string>> = { open: "Open", unread: "Unread", closed: "Closed" }

const nothing: Readonly<Record<Tab, readonly [title: string, text: string]>> = {
  open: ["No open conversations", "Customers start them in their app."],
  unread: ["No unread messages", "New ones appear here."],
  closed: ["No closed conversations", "Conversations you close are kept here."]
}

const Nothing = ({
  state,
  topic
}: {
  readonly state: ListState
  readonly topic: string | undefined
}): ReactElement => {
  const tab = tabOf(state)
  const [title, text] = nothing[tab]
  return topic === undefined ? (
    <Empty icon="chat" title={title}>
      {text}
    </Empty>
  ) : (
    <Empty icon="chat" title={`${title} about “${topic}”`}>
      <Button onClick={() => state.set({ topic: "" })}>Show all topics</Button>
    </Empty>
  )
}

const useRowCommands = (nameOf: NameOf): ReturnType<typeof useCustomerCommands<Talk>> => {
  const session = useSession(admin.session)
  const { set } = useStatusChange(nameOf)
  const { commands, dialog } = useCustomerCommands<Talk>(({ row }) => row.userId)
  const change = (
    verb: string,
    next: string,
    isFor: (row: ConversationRow) => boolean
  ): RowCommand<Talk> => ({
    label: verb,
    icon: "check",
    isBulk: true,
    isFor: (talks) => talks.some(({ row }) => isFor(row)),
    run: (talks) => set(talks.map(({ row }) => row).filter(isFor), next)
  })
  const ofStatus = session.can(Admin.conversations.update)
    ? [change("Close", "closed", (row) => !isClosed(row)), change("Reopen", "open", isClosed)]
    : []
  return { commands: [...ofStatus, ...commands], dialog }
}

const Chat = (): ReactElement => {
  const id = Router.useRoute(["Conversation"])?.params.id
  const state = useListState()
  const { answer, nameOf, talks, topics } = useTalks()
  const { messages } = useChat(live)
  const { commands, dialog } = useRowCommands(nameOf)
  const tab = tabOf(state)
  const topic = state.read("topic")
  const search = state.read("search")?.toLowerCase() ?? ""
  const isMatch = ({ customer, row, text }: Talk): boolean =>
    (topic === undefined || row.topic === topic) &&
    (search === "" || `${nameOf(row, customer)} ${row.topic ?? ""} ${text}`.toLowerCase().includes(search))
  const matches = talks.filter(isMatch)
  const items = matches.filter(isIn[tab])
  const byId = new Map(talks.map((talk) => [talk._id, talk]))
  const present = (talk: Talk): Talk => byId.get(talk._id) ?? talk
  const hrefOf = (tab: Tab): string => state.href({ tab }, Router.Chat())
  const { data, hasNextPage } = answer
  const among = [
    answer.part && `Among ${answer.part}.`,
    tab === "unread" && messages.length > 0 && `Among the last ${number(messages.length)} messages.`
  ].filter(Boolean)
  return (
    <>
      <Workplace
        label="Chat"
        of={{
          ...answer,
          data: data && { ...data, paging: hasNextPage ? {} : { total: items.length } },
          items
        }}
        state={state}
        id={id}
        to={(id) => state.keep(id === undefined ? Router.Chat() : Router.Conversation({ id }))}
        nameOf={({ customer, row }) => nameOf(row, customer)}
        row={(talk) => rowOf(nameOf, tab)(present(talk))}
        columns={columnsFor(nameOf)}
        about={<ConnectionState />}
        search="Find conversations"
        besideSearch={
          topics.length > 0 && (
            <Select
              label="Topic"
              hideLabel
              value={topic ?? ""}
              choices={["", ...topics].map((value) => ({ value, label: value || "All topics" }))}
              onChange={(topic) => state.set({ topic })}
            />
          )
        }
        filters={
          <>
            <Tabs
              label="Tabs"
              current={hrefOf(tab)}
              tabs={tabs.map((value) => ({
                label: tabLabels[value],
                count: data === undefined ? undefined : matches.filter(isIn[value]).length,
                to: hrefOf(value)
              }))}
            />
            {among.length > 0 && <p className="faint">{among.join(" ")}</p>}
          </>
        }
        commands={commands}
        empty={
          hasNextPage ? (
            <p className="p-4 quiet" role="status">
              Searching…
            </p>
          ) : (
            <Nothing state={state} topic={topic} />
          )
        }
      >
        {(talk, id) => (
          <ConversationDetail key={id} id={id} row={(byId.get(id) ?? talk)?.row} nameOf={nameOf} />
        )}
      </Workplace>
      {dialog}
    </>
  )
}

export default Chat
