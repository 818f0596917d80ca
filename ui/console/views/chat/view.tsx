/** Chat: all conversations of the project, by topic, and one of them, live. */

import { type Connection, useChat } from "@quartet/react"
import { Link } from "@swan-io/chicane"
import { type ReactElement, useState } from "react"
import { useWhole } from "../../app/names.js"
import { Router } from "../../app/routes.js"
import type { ConversationRow } from "../../app/rows.js"
import { useListState } from "../../data/list-state.js"
import { Loaded } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { SearchField, Select } from "../../design/field.js"
import { Avatar, Badge, Card, PageHead, type Tone, When } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { conversationList, live, topics } from "./data.js"
import { shown } from "./messages.js"
import { Thread } from "./thread.js"

const stateOf = (connection: Connection<unknown>): readonly [Tone, string] => {
  if (connection.status === "connected") return ["good", "Connected"]
  if (connection.status === "connecting") return ["info", "Connecting…"]
  if (connection.status !== "reconnecting") return ["bad", "Not connected"]
  return ["warn", `Reconnecting, attempt ${connection.attempt}`]
}

const Chat = (): ReactElement => {
  const id = Router.useRoute(["Conversation"])?.params.id
  const state = useListState()
  const [most, setMost] = useState(100)
  const topic = state.read("topic")
  const search = state.read("search")
  const answer = useWhole(conversationList)
  const chat = useChat(live)
  const [tone, connection] = stateOf(chat.connection)
  const lastOf = ({ _id, lastMessage }: ConversationRow): string =>
    shown(chat.messages.filter(({ conversationId }) => conversationId === _id).at(-1)?.text ?? lastMessage)
  const isMatch = (row: ConversationRow): boolean =>
    (topic === undefined || row.topic === topic) &&
    `${row.userName} ${lastOf(row)}`.toLowerCase().includes(search?.toLowerCase() ?? "")
  const matches = answer.items.filter(isMatch)
  return (
    <>
      <PageHead title="Chat" about="Talk with end users. What they write appears at once.">
        <span role="status">
          <Badge tone={tone} dot>
            {connection}
          </Badge>
        </span>
        {tone === "bad" && (
          <Button size="s" onClick={chat.reopen}>
            Connect again
          </Button>
        )}
      </PageHead>
      <div
        className="grid h-[calc(100dvh-10.5rem)] max-md:h-[calc(100dvh-12.5rem)] min-h-108 grid-cols-[20rem_minmax(0,1fr)] gap-4 *:flex *:min-h-0 *:flex-col max-md:grid-cols-1 max-md:data-[open=list]:*:last:hidden max-md:data-[open=thread]:*:first:hidden"
        data-open={id === undefined ? "list" : "thread"}
      >
        <Card flush title="Conversations" {...(answer.part && { about: answer.part })}>
          <div className="grid gap-2 px-4 pb-3">
            <SearchField
              label="Find conversations"
              value={search ?? ""}
              onChange={(search) => state.set({ search })}
            />
            {topics.length > 0 && (
              <Select
                label="Topic"
                hideLabel
                value={topic ?? ""}
                choices={["", ...topics].map((value) => ({ value, label: value || "All topics" }))}
                onChange={(topic) => state.set({ topic })}
              />
            )}
          </div>
          <Loaded
            of={answer}
            isEmpty={() => matches.length === 0}
            empty={<Empty icon="chat" title="No conversations here" />}
          >
            {() => (
              <ul className="overflow-y-auto">
                {matches.slice(0, most).map((row) => (
                  <li key={row._id}>
                    <Link
                      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2.5 border-t border-line px-4 py-2.5 text-sm text-ink no-underline -outline-offset-2 *:first:row-span-2 hover:bg-hover aria-[current]:bg-selected"
                      to={state.keep(Router.Conversation({ id: row._id }))}
                      aria-current={row._id === id ? "page" : undefined}
                    >
                      <Avatar name={row.userName ?? "?"} />
                      <strong className="truncate">{row.userName}</strong>
                      <When date={row.updatedAt} className="faint" />
                      <span className="faint col-[2/-1] truncate">
                        {row.topic} · {lastOf(row)}
                      </span>
                    </Link>
                  </li>
                ))}
                {matches.length > most && (
                  <li className="border-t border-line p-2.5 text-center">
                    <Button size="s" onClick={() => setMost(most + 100)}>
                      More conversations
                    </Button>
                  </li>
                )}
              </ul>
            )}
          </Loaded>
        </Card>
        {id === undefined ? (
          <Card flush>
            <Empty icon="chat" title="Choose a conversation">
              Its messages appear here.
            </Empty>
          </Card>
        ) : (
          <Thread
            key={id}
            id={id}
            of={answer.items.find(({ _id }) => _id === id)}
            back={state.keep(Router.Chat())}
          />
        )}
      </div>
    </>
  )
}

export default Chat
