/** Section 4: states and transitions. */
import type { Row } from "./row.js"

export const rows: ReadonlyArray<Row> = [
  {
    says: "Action (request) status values: pending, confirmed, rejected, reviewed, user_accepted, user_rejected, archived.",
    code: ["core/requests/model.ts#RequestStatus"],
    tests: [
      "test/docs/vocabulary.test.ts#$says > are those of the specification, in its order",
      "test/docs/vocabulary.test.ts#$says > are accepted, and so is one that the platform adds later"
    ]
  },
  {
    says: "Which changes are allowed: not shown.",
    code: ["core/requests/operations.ts#update", "core/requests/model.ts#RequestStatus"],
    tests: [
      "test/docs/vocabulary.test.ts#$says > are accepted, and so is one that the platform adds later",
      "test/sandbox/requests.test.ts#an admin answers, the end user reviews and confirms, and an archived request takes no answer"
    ],
    note: "The clients leave it to the platform; the sandbox has rules of its own."
  },
  {
    says: "The end user can confirm or respond to a request and confirm a review.",
    code: ["core/requests/operations.ts#confirm", "core/requests/operations.ts#review"],
    tests: [
      "test/sandbox/requests.test.ts#an admin answers, the end user reviews and confirms, and an archived request takes no answer"
    ]
  },
  {
    says: "Either side can add comments and mark a request as seen, sending a version.",
    code: ["core/requests/operations.ts#addComment", "core/requests/operations.ts#markSeen"],
    tests: [
      "test/sandbox/other-side.test.ts#an admin marks a request as seen at its newest version, and the end user can tell",
      "test/sandbox/requests.test.ts#both sides comment, each comment raises the version, and each side sees who wrote",
      "test/sandbox/requests.test.ts#a version is marked as seen only while it is the newest"
    ]
  },
  {
    says: "Admin sign-in:",
    code: ["clients/admin/client.ts#make", "core/kernel/session/credentials-provider.ts#make"],
    tests: ["test/wire/configuration.test.ts#an admin's sign-in"]
  },
  {
    says: "With a session id, the user is only read from the token.",
    code: [
      "clients/admin/client.ts#make",
      "clients/admin/on-demand.ts#me",
      "core/kernel/session/token.ts#read"
    ],
    tests: [
      "test/wire/configuration.test.ts#an admin's sign-in > does not happen where a session is given",
      "test/promise/on-demand.test.ts#on demand > where a session was given, the user is read from the token alone, and nothing is sent"
    ]
  },
  {
    says: "Otherwise sign-in happens on both the new and the legacy service; the access token, user and session id are kept.",
    code: [
      "core/kernel/session/admin-session.ts#signIn",
      "core/kernel/session/credentials-provider.ts#make",
      "core/ports/session-store.ts#StoredSession",
      "clients/admin/on-demand.ts#user"
    ],
    tests: [
      "test/core/auth/credentials-provider-sign-in.test.ts#signing in > keeps the user with the token and the session id",
      "test/promise/on-demand.test.ts#on demand > the user whom the sign-in described is kept with its session: asking again sends nothing",
      "test/wire/configuration.test.ts#an admin's sign-in > sends e-mail and password to both services before the first call, and no credentials",
      "test/wire/configuration.test.ts#an admin's sign-in > happens once; its token and session are then sent to both services",
      "test/core/auth/storm.test.ts#1,000 calls at once > before any session lead to one sign-in on each service"
    ]
  },
  {
    says: "Chat:",
    code: ["core/chat/chat.ts#open", "clients/admin/chat.ts#open"],
    tests: ["test/core/chat/admin.test.ts#an admin's chat > says and hears, and tells the history at first"]
  },
  {
    says: "A socket is opened, and the client waits, polling every 100 ms, until it is connected.",
    code: ["core/chat/connection.ts#connect", "core/chat/policy.ts#defaults"],
    tests: [
      "test/core/chat/connecting.test.ts#opening a chat > polls the connection every 100 ms until it stands",
      "test/core/chat/connecting.test.ts#opening a chat > fails with Timeout after 10 s, says why, and leaves no socket"
    ]
  },
  {
    says: "Incoming chat and history events are then relayed to callbacks.",
    code: ["core/chat/inbox.ts#Inbox", "core/chat/listeners.ts#Listeners"],
    tests: [
      "test/core/chat/receiving.test.ts#incoming messages > are told to the callback as they come, with Dates for date-times",
      "test/core/chat/receiving.test.ts#the history of the first connection > is told to its callback and as a Stream, oldest first",
      "test/contracts/chat-socket.ts#the ChatSocket of … > relays chat and history in the order in which the server says them"
    ]
  },
  {
    says: "Demo pending tasks and documents are held locally: completing a task marks it complete; accepting a document marks it accepted.",
    code: ["core/onboarding/state.ts#make", "clients/admin/onboarding.ts#make"],
    tests: [
      "test/core/onboarding/state.test.ts#completing a task > marks it as complete",
      "test/core/onboarding/state.test.ts#accepting a document > notes when and by whom",
      "test/promise/local.test.ts#onboarding > is read, completed and accepted, and sends nothing"
    ]
  }
]
