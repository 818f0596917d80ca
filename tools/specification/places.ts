/**
 * Where each statement of the specification lives: exports by their files. Its proofs are tagged in the tests. A key is
 * the statement's number and its first words. The number is a name: it stays as it is wherever the statement stands, so a
 * new statement takes the next one of its section. Statements of calls are not here: they are known by their calls.
 */
export const places: Readonly<Record<string, ReadonlyArray<`${string}#${string}`>>> = {
  "0.1 The product is": ["clients/index.ts#Admin, Public, Private, EndUser"],
  "0.2 This document covers": ["core/catalogue.ts#operations"],
  "0.3 It has no": ["clients/index.ts#Admin"],
  "0.4 Every call below": ["core/kernel/operation/operation.ts#Declaration"],
  "1.1 Four clients exist": [
    "clients/admin/client.ts#Client",
    "clients/public/client.ts#Client",
    "clients/private/client.ts#Client",
    "clients/end-user/client.ts#Client"
  ],
  "1.2 Admin client": [
    "clients/admin/client.ts#AdminCredentials",
    "core/kernel/session/admin-session.ts#credentialsOf"
  ],
  "1.3 Public client": ["clients/public/client.ts#ClientConfig", "core/kernel/session/keys.ts#make"],
  "1.4 Private client": ["clients/private/client.ts#ClientConfig", "core/kernel/session/keys.ts#make"],
  "1.5 End-user client": ["clients/end-user/client.ts#ClientConfig", "clients/end-user/sign-in.ts#signIn"],
  "1.6 Behaviour common to": [
    "core/kernel/dispatch/dispatcher.ts#make",
    "core/kernel/dispatch/dispatcher.ts#binder"
  ],
  "1.7 The user or": [
    "core/kernel/session/on-demand.ts#make",
    "clients/admin/on-demand.ts#me, project",
    "clients/public/on-demand.ts#project",
    "clients/private/on-demand.ts#project",
    "clients/end-user/on-demand.ts#me"
  ],
  "1.8 Any response string": ["core/kernel/codec/dates.ts#parse", "core/kernel/codec/state.ts#revive"],
  "1.9 Admins and end": ["core/kernel/session/token.ts#AdminIdentity", "core/auth/model.ts#User"],
  "1.10 Some action categories": ["core/tenants/topics.ts#topicsOf, categoriesOf"],
  "2.1 Not shown as": ["clients/index.ts#Admin"],
  "2.2 The product has": ["core/catalogue.ts#operations"],
  "3.1 Project: _id, name": ["core/projects/model.ts#Project, shownProviderType"],
  "3.2 Admin identity, decoded": ["core/kernel/session/token.ts#read, AdminIdentity"],
  "3.3 Token claim p": ["core/kernel/session/token.ts#read", "core/permissions/grants.ts#check"],
  "3.4 Pending task: id": ["core/onboarding/model.ts#PendingTask, taskTypes"],
  "3.5 Document (demo data)": ["core/onboarding/model.ts#Document"],
  "3.6 Billing item (demo)": ["core/onboarding/model.ts#BillingItem"],
  "3.7 Project stats (demo)": ["core/onboarding/model.ts#ProjectStats"],
  "3.8 Action category: label": ["core/tenants/model.ts#ActionCategory"],
  "3.9 Content filter: key": ["core/content/query.ts#Filter"],
  "3.10 Sort item: k": ["core/content/query.ts#Sort"],
  "3.11 Box types: QUIZ_RESULT": ["core/boxes/model.ts#BoxType"],
  "3.12 Holiday types: holiday": ["core/intranet/model.ts#HolidayType"],
  "3.13 Holiday accrual types": ["core/intranet/model.ts#HolidayAccrualType"],
  "3.14 Notification channels: EMAIL": ["core/notifications/model.ts#NotificationChannel"],
  "3.15 Source type: News": ["core/notifications/model.ts#NotificationSource"],
  "3.16 In-app type: PAYMENT": ["core/notifications/model.ts#InAppType"],
  "3.17 Action data types": [
    "core/requests/model.ts#RequestType",
    "core/tenants/topics.ts#normalise, spellings"
  ],
  "3.18 Content filter conditions": ["core/content/query.ts#Condition"],
  "3.19 Operators: =, !": ["core/content/query.ts#Operator"],
  "3.20 Filter types: TEXT": ["core/content/query.ts#FilterType"],
  "3.21 Other entities handled": [
    "core/requests/model.ts#RequestAction, Comment",
    "core/conversations/model.ts#Conversation, Message",
    "core/payments/model.ts#Transaction, TransactionEvent",
    "core/orders/model.ts#Order, OrderGroup",
    "core/items/model.ts#Item",
    "core/profiles/model.ts#Profile",
    "core/files/model.ts#StoredFile",
    "core/auth/model.ts#User",
    "core/roles/model.ts#Role, Permission",
    "core/users/model.ts#Admin, Preference",
    "core/models/model.ts#Model, Field",
    "core/content/model.ts#Content",
    "core/content-models/model.ts#ContentModel",
    "core/events/model.ts#Event",
    "core/notifications/model.ts#Notification"
  ],
  "3.22 Their field lists": [
    "core/kernel/operation/entity.ts#open",
    "core/kernel/operation/operation.ts#Operation"
  ],
  "4.1 Action (request) status": ["core/requests/model.ts#RequestStatus"],
  "4.2 Which changes are": ["core/requests/operations.ts#update", "core/requests/model.ts#RequestStatus"],
  "4.3 The end user": ["core/requests/operations.ts#confirm, review"],
  "4.4 Either side can": ["core/requests/operations.ts#addComment, markSeen"],
  "4.5 Admin sign-in": ["clients/admin/client.ts#make", "core/kernel/session/credentials-provider.ts#make"],
  "4.6 With a session": [
    "clients/admin/client.ts#make",
    "clients/admin/on-demand.ts#me",
    "core/kernel/session/token.ts#read"
  ],
  "4.7 Otherwise sign-in happens": [
    "core/kernel/session/admin-session.ts#signIn",
    "core/kernel/session/credentials-provider.ts#make",
    "core/ports/session-store.ts#StoredSession",
    "clients/admin/on-demand.ts#user"
  ],
  "4.8 Chat": ["core/chat/chat.ts#open", "clients/admin/chat.ts#open"],
  "4.9 A socket is": ["core/chat/connection.ts#run", "core/chat/policy.ts#defaults"],
  "4.10 Incoming chat and": ["core/chat/inbox.ts#Inbox", "core/chat/state.ts#Listeners"],
  "4.11 Demo pending tasks": ["core/onboarding/state.ts#make", "clients/admin/onboarding.ts#make"],
  "5.1 Creating the admin": ["clients/admin/client.ts#AdminCredentials, make"],
  "5.2 Otherwise it fails": ["core/kernel/errors/errors.ts#missingCredentials"],
  "5.3 List parameters (inUserIds": [
    "core/kernel/operation/input.ts#list",
    "core/requests/model.ts#ListRequests",
    "core/items/model.ts#SearchItems",
    "core/orders/model.ts#SearchOrders",
    "core/profiles/model.ts#SearchProfiles"
  ],
  "5.4 Other validation: not": [
    "core/kernel/codec/encoder.ts#make",
    "core/kernel/operation/path.ts#encode",
    "core/kernel/codec/json.ts#encode"
  ],
  "6.1 Permission levels: None=0": ["core/permissions/level.ts#None, Read, Write, Admin"],
  "6.2 The check for": ["core/permissions/grants.ts#check", "core/kernel/dispatch/dispatcher.ts#make"],
  "6.3 No permission at": ["core/permissions/grants.ts#check"],
  "6.4 The comparison as": ["core/permissions/grants.ts#Reading, check"],
  "6.5 The intended rule": ["core/permissions/grants.ts#check"],
  "6.6 Both readings are": ["core/permissions/grants.ts#Reading", "clients/admin/client.ts#ClientConfig"],
  "6.7 Admin endpoints are": ["clients/admin/client.ts#bind", "core/kernel/operation/operation.ts#Audience"],
  "6.8 Role management lets": [
    "core/roles/operations.ts#create, get, update, remove, addPermission, removePermission"
  ],
  "6.9 Admin and user": ["clients/admin/admins.ts#create", "clients/admin/users.ts#create"],
  "6.10 Private endpoints need": ["clients/private/client.ts#ClientConfig, bind"],
  "6.11 Some action categories": ["core/tenants/topics.ts#topicsOf, categoriesOf"],
  "7.1 Admin client (bearer": ["core/kernel/session/admin-session.ts#credentialsOf"],
  "7.2 New API; projectId": ["core/kernel/codec/encoder.ts#Surroundings, make"],
  "7.16 Chat socket to": [
    "clients/admin/chat.ts#open",
    "core/chat/chat.ts#open",
    "core/ports/chat-socket.ts#ChatSocket",
    "adapters/socket/index.ts#layer"
  ],
  "7.22 Public client (API": ["clients/public/client.ts#layer", "core/kernel/session/keys.ts#make"],
  "7.34 Private client (private": ["clients/private/client.ts#layer", "core/kernel/session/keys.ts#make"],
  "7.39 End-user client (session": ["clients/end-user/client.ts#layer", "core/kernel/session/keys.ts#make"],
  "7.50 What the product": [
    "core/kernel/codec/decoder.ts#make",
    "core/kernel/session/credentials-provider.ts#make"
  ],
  "7.51 Result shapes: not": [
    "core/kernel/operation/answer.ts#Answer",
    "core/kernel/operation/entity.ts#Anything",
    "core/kernel/codec/page.ts#decoder"
  ],
  "7.52 Server behaviour: not": ["packages/sandbox/sandbox.ts#make"],
  "8.1 'Session ID and": ["core/kernel/errors/errors.ts#missingCredentials, CredentialsError"],
  "8.2 Server error codes": [
    "core/kernel/dispatch/response.ts#whole",
    "core/kernel/errors/errors.ts#CallError"
  ],
  "9.1 Chat connection poll": ["core/chat/policy.ts#defaults"],
  "9.2 Permission weights: None": ["core/permissions/level.ts#Level"],
  "9.3 Demo data: SMS": ["core/onboarding/demo.ts#makeDemo"],
  "9.4 Demo stats: user": ["core/onboarding/demo.ts#makeDemo"],
  "9.5 Conversation topics for": ["core/tenants/model.ts#Topic", "core/tenants/topics.ts#topicsOf"],
  "9.6 Action categories for": ["core/tenants/model.ts#CategoryLabel", "core/tenants/topics.ts#categoriesOf"],
  "9.7 The second project's": ["core/tenants/topics.ts#extraTypes, categoriesOf"],
  "9.8 Page sizes and": [
    "core/kernel/dispatch/page-source.ts#PageRange",
    "core/kernel/dispatch/retry.ts#defaults"
  ]
}

/** Notes for readers: how an open statement is read, or why it lives in its place. */
export const notes: Readonly<Record<string, string>> = {
  "0.3": "No client imports anything of ui; the console is an app of its own on top of them.",
  "1.2":
    "The names of the headers are not given: `authorization` and `x-session-id`, unless `headerNames` says otherwise.",
  "1.8":
    "Text that has the form and is no date, such as February 30, stays text. So does any text in a field that is [declared as text](#text-that-stays-text).",
  "1.10": "The specification does not give the projects' ids: they are configuration (`Tenants`).",
  "3.17":
    "The misspelled variants are not given: `Admin.tenants.normalise` and `spellings` take the table of them.",
  "3.22": "Entities are open: `_id` and what is named are typed, the rest is kept, and `as(schema)` narrows.",
  "4.2": "The clients leave it to the platform; the sandbox has rules of its own.",
  "5.4":
    "What would arrive as something else is refused before anything is sent, with the field and the rule.",
  "admin.items.search":
    "The method of the two searches whose method is not given is read as GET, like that of the items beside them.",
  "admin.content.paginated": "The `{id}` of POST content/{id} is taken as the content model's.",
  "admin.users.list":
    "`permission`, `role/{id}` and `admin/{id}` are read as members of the auth/ family; `routes` can correct any one of them.",
  "admin.models.list": "`model/{id}` is read as a member of cms/model.",
  "private.payments.payWithLink": "`transaction/{id}` is read as a member of payment/transaction.",
  "endUser.events.list": "PUT and DELETE need an id: they are read as calls on event/{id}.",
  "endUser.orderGroups.get": "The search is read as POST, as the orders' beside it is.",
  "7.52": "The sandbox behaves as such a platform would; the clients rely on none of it.",
  "9.8":
    "The platform decides on both: a page size is sent only where it is asked for, and a 429 says how long to wait."
}
