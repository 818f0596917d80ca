/** Section 3: entities and their fields. */
import type { Row } from "./row.js"

const known = "> are those of the specification, in its order"
const later = "> are accepted, and so is one that the platform adds later"

export const rows: ReadonlyArray<Row> = [
  {
    says: "Project: _id, name, users, custom_types, files, languages, providers (only those of type v2 are kept), api_key, private_api_key, created, metadata.",
    code: ["core/projects/model.ts#Project", "core/projects/model.ts#shownProviderType"],
    tests: [
      "test/docs/vocabulary.test.ts#%s has the specification's fields",
      "test/core/projects/operations.test.ts#a project > keeps only its providers of type v2, whole"
    ]
  },
  {
    says: "Admin identity, decoded from the access token: _id (the subject), email, fullName (the name).",
    code: ["core/kernel/session/token.ts#read", "core/kernel/session/token.ts#AdminIdentity"],
    tests: ["test/core/auth/token.test.ts#a token > names the admin: subject, e-mail, name and permissions"]
  },
  {
    says: "Token claim p holds permissions: a map of resource to action to level, with a wildcard.",
    code: ["core/kernel/session/token.ts#read", "core/permissions/grants.ts#check"],
    tests: [
      "test/core/auth/token.test.ts#a token > names the admin: subject, e-mail, name and permissions",
      "test/core/permissions/grants.test.ts#the intended reading > allows what the most specific grant reaches"
    ]
  },
  {
    says: "Pending task: id, type (billing-onboarding), isCompleted.",
    code: ["core/onboarding/model.ts#PendingTask", "core/onboarding/model.ts#taskTypes"],
    tests: [
      "test/docs/vocabulary.test.ts#%s has the specification's fields",
      "test/core/onboarding/state.test.ts#the demo data > is what the model says"
    ]
  },
  {
    says: "Document (demo data): id, title, description, previewURL, isAccepted, acceptedAt, acceptedBy, validFrom.",
    code: ["core/onboarding/model.ts#Document"],
    tests: [
      "test/docs/vocabulary.test.ts#%s has the specification's fields",
      "test/core/onboarding/state.test.ts#the demo data > is what the model says"
    ]
  },
  {
    says: "Billing item (demo): id, service, sku, unit, agreement {id, title}, price.",
    code: ["core/onboarding/model.ts#BillingItem"],
    tests: [
      "test/docs/vocabulary.test.ts#%s has the specification's fields",
      "test/core/onboarding/state.test.ts#the demo data > agrees every price by a document that can be accepted"
    ]
  },
  {
    says: "Project stats (demo): userCount, contentCount, registeredUserCount, currentBillAmount {amount, currency}.",
    code: ["core/onboarding/model.ts#ProjectStats"],
    tests: [
      "test/docs/vocabulary.test.ts#%s has the specification's fields",
      "test/core/onboarding/state.test.ts#the demo data > has the specification's figures"
    ]
  },
  {
    says: "Action category: label and a list of action types.",
    code: ["core/tenants/model.ts#ActionCategory"],
    tests: ["test/docs/vocabulary.test.ts#an action category has a label and a list of action types"]
  },
  {
    says: "Content filter: key k, value v, condition, optional operator op and optional type t.",
    code: ["core/content/query.ts#Filter"],
    tests: [
      "test/docs/vocabulary.test.ts#a content filter has the specification's fields, of which op, t and condition may be left out",
      "test/core/content/query-text.test.ts#a filter in v3 > operator and type come back as they were"
    ]
  },
  {
    says: "Sort item: k, v, optional t.",
    code: ["core/content/query.ts#Sort"],
    tests: [
      "test/docs/vocabulary.test.ts#a sort item has the specification's fields, of which t may be left out",
      "test/core/content/query-text.test.ts#a sort > comes back as it was"
    ]
  },
  {
    says: "Box types: QUIZ_RESULT, SURVEY_RESULT, INTRANET_RESPONSIBILITIES, M2_WEB_PROPERTY_WISHLIST, ALCHEMY_ELEMENT_IMAGES.",
    code: ["core/boxes/model.ts#BoxType"],
    tests: [`test/docs/vocabulary.test.ts#$says ${known}`, `test/docs/vocabulary.test.ts#$says ${later}`]
  },
  {
    says: "Holiday types: holiday, family, unpaid, sick_day, maternity, day_off, system, bulletin.",
    code: ["core/intranet/model.ts#HolidayType"],
    tests: [
      `test/docs/vocabulary.test.ts#$says ${known}`,
      "test/core/intranet/operations.test.ts#intranet.holidayReport > sends a type that the platform added later",
      "test/sandbox/office.test.ts#the intranet reports absences by kind, and answers charts, a balance and a check"
    ]
  },
  {
    says: "Holiday accrual types: calendar, start_of_work.",
    code: ["core/intranet/model.ts#HolidayAccrualType"],
    tests: [`test/docs/vocabulary.test.ts#$says ${known}`, `test/docs/vocabulary.test.ts#$says ${later}`]
  },
  {
    says: "Notification channels: EMAIL, SMS, PUSH, IN_APP.",
    code: ["core/notifications/model.ts#NotificationChannel"],
    tests: [
      `test/docs/vocabulary.test.ts#$says ${known}`,
      "test/sandbox/office.test.ts#a notification that is sent reaches the end user's list and is seen once they say so"
    ]
  },
  {
    says: "Source type: News.",
    code: ["core/notifications/model.ts#NotificationSource"],
    tests: [`test/docs/vocabulary.test.ts#$says ${known}`, `test/docs/vocabulary.test.ts#$says ${later}`]
  },
  {
    says: "In-app type: PAYMENT.",
    code: ["core/notifications/model.ts#InAppType"],
    tests: [`test/docs/vocabulary.test.ts#$says ${known}`, `test/docs/vocabulary.test.ts#$says ${later}`]
  },
  {
    says: "Action data types: VISIT, CHANGE_FILE, VACATION, TRAINING, and the HOME_APP family: MAINTENANCE, BUY, RENT, SELL, RENT_OUT, EXCHANGE, WAITING_LIST, REQUEST_INVOICE, REDIRECTING_FRIEND (the spelling of this name is misspelled in the product), REPLACE_APARTMENT, REQUEST_APARTMENT_LINK (a misspelled variant also exists).",
    code: [
      "core/requests/model.ts#RequestType",
      "core/tenants/aliases.ts#normalise",
      "core/tenants/aliases.ts#spellings"
    ],
    tests: [
      "test/docs/vocabulary.test.ts#action data types > are the general ones of the specification",
      "test/docs/vocabulary.test.ts#action data types > are the home app's family of the specification",
      "test/core/tenants/aliases.test.ts#normalise > reads a misspelled type as what it stands for",
      "test/core/tenants/aliases.test.ts#spellings > all normalise to the type"
    ],
    note: "The misspelled variants are not given: the table of aliases is configuration (`Tenants.aliases`)."
  },
  {
    says: "Content filter conditions: contains, lt, gt.",
    code: ["core/content/query.ts#Condition"],
    tests: [
      "test/docs/vocabulary.test.ts#content filter conditions > are those of the specification",
      "test/core/content/query-text.test.ts#a filter in v2 > condition and text come back as they were"
    ]
  },
  {
    says: "Operators: =, !=, >, >=, <, <=, like.",
    code: ["core/content/query.ts#Operator"],
    tests: [
      `test/docs/vocabulary.test.ts#$says ${known}`,
      "test/sandbox/visitor-content.test.ts#v3 filters with operators and types, sorts by several fields, and pages"
    ]
  },
  {
    says: "Filter types: TEXT, NUMERIC, BOOLEAN.",
    code: ["core/content/query.ts#FilterType"],
    tests: [
      `test/docs/vocabulary.test.ts#$says ${known}`,
      "test/core/content/query-text.test.ts#a filter in v3 > a value whose type is its own comes back as it was"
    ]
  },
  {
    says: "Other entities handled: request-actions with comments and a version, conversations and messages, payment transactions and events, orders, order groups, items, profiles (followers, followings, blocks), files, users, roles, permissions, admins, admin preferences, CMS models with fields, content and content models, events, notifications.",
    code: [
      "core/requests/model.ts#RequestAction",
      "core/requests/model.ts#Comment",
      "core/conversations/model.ts#Conversation",
      "core/conversations/model.ts#Message",
      "core/payments/model.ts#Transaction",
      "core/payments/model.ts#TransactionEvent",
      "core/orders/model.ts#Order",
      "core/orders/model.ts#OrderGroup",
      "core/items/model.ts#Item",
      "core/profiles/model.ts#Profile",
      "core/files/model.ts#StoredFile",
      "core/auth/model.ts#User",
      "core/roles/model.ts#Role",
      "core/roles/model.ts#Permission",
      "core/users/model.ts#Admin",
      "core/users/model.ts#Preference",
      "core/models/model.ts#Model",
      "core/models/model.ts#Field",
      "core/content/model.ts#Content",
      "core/content-models/model.ts#ContentModel",
      "core/events/model.ts#Event",
      "core/notifications/model.ts#Notification"
    ],
    tests: [
      "test/sandbox/requests.test.ts#both sides comment, each comment raises the version, and each side sees who wrote",
      "test/sandbox/office.test.ts#an admin reads conversations, changes a topic and marks messages as seen",
      "test/sandbox/shop.test.ts#a link begins a payment that the admin then sees with its first event",
      "test/sandbox/shop.test.ts#admins search orders by lists and read groups, which hold the orders that they name",
      "test/sandbox/shop.test.ts#all four audiences read the same 250 items, each by their own call",
      "test/sandbox/profiles.test.ts#who follows is among the followers, until they unfollow",
      "test/sandbox/profiles.test.ts#a block ends following both ways and hides the blocker from the blocked, until it is lifted",
      "test/sandbox/files.test.ts#an upload is kept byte for byte, listed, downloaded, deleted and gone",
      "test/sandbox/people.test.ts#an end user is created, found, changed, deleted and gone, and can sign in in between",
      "test/sandbox/people.test.ts#a role that is given a permission has it, and its holders may do more from their next sign-in",
      "test/sandbox/people.test.ts#admins manage each other, but nobody deletes themselves",
      "test/sandbox/people.test.ts#a preference is kept under its key, for the one admin who set it",
      "test/sandbox/content.test.ts#a model is created, gets fields, changes, and takes its entries with it when it goes",
      "test/sandbox/content.test.ts#the legacy service knows the same models under its own addresses",
      "test/sandbox/content.test.ts#an entry lives through create, list, update, delete and 404, in its model's types",
      "test/sandbox/office.test.ts#an end user lists, moves and deletes their events",
      "test/sandbox/office.test.ts#a notification that is sent reaches the end user's list and is seen once they say so"
    ]
  },
  {
    says: "Their field lists: not shown.",
    code: ["core/kernel/operation/entity.ts#open", "core/kernel/operation/operation.ts#Operation"],
    tests: [
      "test/core/kernel/decoder-fields.test.ts#what is not declared > is kept, in open and in closed schemas alike",
      "test/core/kernel/dispatcher-answers.test.ts#an operation narrowed by `as` > reads its answer by the caller's own schema"
    ],
    note: "Entities are open: `_id` and what is named are typed, the rest is kept, and `as(schema)` narrows."
  }
]
