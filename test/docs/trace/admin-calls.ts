/** Section 7, the admin client's part. */
import type { CallsRow, Row } from "./row.js"

const client = "admin"

export const rows: ReadonlyArray<Row | CallsRow> = [
  {
    says: "Admin client (bearer token plus session header).",
    code: ["core/kernel/session/admin-session.ts#present"],
    tests: [
      "test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path",
      "test/wire/configuration.test.ts#an admin's sign-in > happens once; its token and session are then sent to both services"
    ]
  },
  {
    says: "New API; projectId is a query parameter unless it is in the path.",
    code: ["core/kernel/codec/encoder.ts#Surroundings", "core/kernel/codec/encoder.ts#make"],
    tests: [
      "test/core/kernel/encoder-path.test.ts#the project > fills {projectId} in a path",
      "test/core/kernel/encoder-path.test.ts#the project > is a query parameter of other calls",
      "test/core/kernel/dispatcher-requests.test.ts#a request > of a legacy call goes to the legacy address, without a project in its query",
      "test/sandbox/credentials.test.ts#an admin's call names the project: 400 without it, 404 for another one"
    ]
  },
  {
    says: "POST auth/admin/login {email, password} returns accessToken and user.",
    client,
    tests: [
      "test/sandbox/other-side.test.ts#both sign-ins of an admin answer: the token with its user, and the session",
      "test/sandbox/credentials.test.ts#the token of a sign-in names the admin and carries what their roles allow"
    ]
  },
  {
    says: "Legacy POST /auth/login {email, password} returns sessionId.",
    client,
    tests: [
      "test/sandbox/other-side.test.ts#both sign-ins of an admin answer: the token with its user, and the session",
      "test/sandbox/credentials.test.ts#a wrong password is refused on all three sign-ins: 401"
    ]
  },
  {
    says: "GET projects (query).",
    client,
    tests: [
      "test/sandbox/office.test.ts#the project is changed by an admin, and a visitor's key never leads to the private one"
    ]
  },
  {
    says: "Legacy GET /project/{id} and PUT /project/{id}/updateProject.",
    client,
    tests: [
      "test/sandbox/office.test.ts#the project is changed by an admin, and a visitor's key never leads to the private one",
      "test/core/projects/operations.test.ts#a project > keeps only its providers of type v2, whole"
    ]
  },
  {
    says: "Providers: GET /project/{id}/provider; POST /project/{id}/provider/{providerId}/activate and /deactivate; GET provider/authentication/customers; GET provider/zohodeals.",
    client,
    tests: [
      "test/sandbox/office.test.ts#a provider is switched on and off, and two of them answer lists of their own"
    ]
  },
  {
    says: "Entities: GET and POST /project/{projectId}/entity/{kind}; GET, PUT and DELETE .../{id}.",
    client,
    tests: [
      "test/sandbox/office.test.ts#an entity belongs to its kind: created, listed, changed, deleted and gone"
    ]
  },
  {
    says: "Request actions: POST request-action; GET list; GET and PUT request-action/{id}; POST {id}/add-comment; PUT {id}/seen {version}.",
    client,
    tests: [
      "test/sandbox/other-side.test.ts#an admin marks a request as seen at its newest version, and the end user can tell",
      "test/sandbox/requests.test.ts#an admin filters by users, types and statuses, and pages through what is left",
      "test/sandbox/requests.test.ts#both sides comment, each comment raises the version, and each side sees who wrote",
      "test/sandbox/requests.test.ts#a version is marked as seen only while it is the newest"
    ]
  },
  {
    says: "POST notification.",
    client,
    tests: [
      "test/sandbox/office.test.ts#a notification that is sent reaches the end user's list and is seen once they say so"
    ]
  },
  {
    says: "GET intranet/holiday/report (type, default holiday).",
    client,
    tests: [
      "test/core/intranet/operations.test.ts#intranet.holidayReport > reports holidays where no type is named",
      "test/sandbox/office.test.ts#the intranet reports absences by kind, and answers charts, a balance and a check"
    ]
  },
  {
    says: "E-commerce: GET item search (comma-joined filters); GET item/{id}; GET ecommerce/item; order search; GET order/{id}; legacy PUT order; order-group GET /{id} and POST search; profile search; GET profile/{id}; GET profile/{id}/basic; legacy PUT profile.",
    client,
    tests: [
      "test/sandbox/other-side.test.ts#an admin reads the item that a search found, and 404 for one that is not there",
      "test/sandbox/shop.test.ts#items are searched by text, price and the specification's lists, and sorted",
      "test/sandbox/shop.test.ts#admins search orders by lists and read groups, which hold the orders that they name",
      "test/sandbox/profiles.test.ts#profiles are searched by text and by the specification's lists",
      "test/sandbox/profiles.test.ts#a profile has a short and a full form, and its owner changes what is theirs to change",
      "test/core/orders/operations.test.ts#orders.update > of an admin goes to the legacy service, without the project"
    ],
    note: "The method of the two searches whose method is not given is read as GET, like that of the items beside them."
  },
  {
    says: "Content models (legacy): GET and POST /project/{id}/customType; GET, PUT and DELETE .../{id}.",
    client,
    tests: [
      "test/sandbox/content.test.ts#the legacy service knows the same models under its own addresses",
      "test/core/models/operations.test.ts#content models > are those of the client's project"
    ]
  },
  {
    says: "Content (legacy): GET content/paginated (returns content and paging); GET, POST, PUT and DELETE content/{id}; POST content/translate {key, text}; PUT content/reorder.",
    client,
    tests: [
      "test/core/content/operations.test.ts#content.paginated > answers the items under content, and the paging",
      "test/sandbox/content.test.ts#an entry lives through create, list, update, delete and 404, in its model's types",
      "test/sandbox/content.test.ts#the order in which entries are put is kept",
      "test/sandbox/content.test.ts#the structure names all models with their fields, and a translation is kept by its key"
    ],
    note: "The `{id}` of POST content/{id} is taken as the content model's."
  },
  {
    says: "Conversations: GET v2/conversations; PUT conversations/{id}; GET conversations/{id}/messages; PUT conversations/{id}/messages/{messageId}/seen.",
    client,
    tests: [
      "test/sandbox/office.test.ts#an admin reads conversations, changes a topic and marks messages as seen"
    ]
  },
  {
    says: "Chat socket to /api_private/v1/chat, with a token query, the API key, and admin session headers; it emits and receives 'chat' and receives 'history'.",
    code: [
      "clients/admin/chat.ts#open",
      "core/chat/chat.ts#open",
      "core/ports/chat-socket.ts#ChatSocket",
      "adapters/socket/index.ts#layer"
    ],
    tests: [
      "test/core/chat/admin.test.ts#an admin's chat > connects at the platform's path with the token, the API key and the session",
      "test/core/chat/admin.test.ts#an admin's chat > says and hears, and tells the history at first",
      "test/adapters/socket-handshake.test.ts#the handshake > carries the token as a query, and the credentials as headers and as auth (…)",
      "test/sandbox/chat.test.ts#what one says is acknowledged, heard by both sides, and in the conversation afterwards"
    ]
  },
  {
    says: "Payments: GET payment/transaction (list, /{id}, /{id}/event, /csv); POST payment/transaction/{id}/refund.",
    client,
    tests: [
      "test/sandbox/other-side.test.ts#an admin reads the payment that a server's link began",
      "test/sandbox/shop.test.ts#a link begins a payment that the admin then sees with its first event",
      "test/sandbox/shop.test.ts#a refund adds an event once; a second one, or one of an unpaid transaction, is a conflict",
      "test/sandbox/shop.test.ts#both CSVs stream all rows under their names, and only those that are asked for"
    ]
  },
  {
    says: "V2 orders: GET ecommerce/order, /csv, /{id}.",
    client,
    tests: [
      "test/sandbox/shop.test.ts#admins search orders by lists and read groups, which hold the orders that they name",
      "test/sandbox/shop.test.ts#both CSVs stream all rows under their names, and only those that are asked for"
    ]
  },
  {
    says: "Files: GET cms/file; GET and DELETE cms/file/{id}; GET cms/file/{id}/download.",
    client,
    tests: [
      "test/sandbox/files.test.ts#an upload is kept byte for byte, listed, downloaded, deleted and gone"
    ]
  },
  {
    says: "Users, roles, admins: GET and POST auth/user; GET, PUT and DELETE auth/user/{id}; GET permission; GET permission/{id}; GET and POST auth/role; GET, PUT and DELETE role/{id}; POST and DELETE role/{id}/permission/{permissionId}; GET and POST auth/admin; GET, PUT and DELETE admin/{id}; GET admin/preference; GET and POST admin/preference/{key}.",
    client,
    tests: [
      "test/sandbox/people.test.ts#an end user is created, found, changed, deleted and gone, and can sign in in between",
      "test/sandbox/people.test.ts#a role that is given a permission has it, and its holders may do more from their next sign-in",
      "test/sandbox/people.test.ts#a role is renamed, and holds no permission that does not exist",
      "test/sandbox/people.test.ts#admins manage each other, but nobody deletes themselves",
      "test/sandbox/people.test.ts#a preference is kept under its key, for the one admin who set it"
    ],
    note: "`permission`, `role/{id}` and `admin/{id}` are read as members of the auth/ family; `routes` can correct any one of them."
  },
  {
    says: "CMS models: GET and POST cms/model; GET, PUT and DELETE model/{id}; POST model/{id}/field; PUT and DELETE model/{id}/field/{fieldId}.",
    client,
    tests: [
      "test/sandbox/content.test.ts#a model is created, gets fields, changes, and takes its entries with it when it goes"
    ],
    note: "`model/{id}` is read as a member of cms/model."
  }
]
