/** Sections 5 (validation rules) and 6 (roles and permissions). */
import type { Row } from "./row.js"

export const rows: ReadonlyArray<Row> = [
  {
    says: "Creating the admin client requires either a session id and access token, or an e-mail and password.",
    code: ["clients/admin/client.ts#AdminCredentials", "clients/admin/client.ts#make"],
    tests: ["test/promise/configuration.test.ts#an admin client > is not made of %j"]
  },
  {
    says: "Otherwise it fails with the message 'Session ID and access token or email and password must be provided'.",
    code: ["core/kernel/errors/errors.ts#missingCredentials"],
    tests: ["test/promise/configuration.test.ts#an admin client > is not made of %j"]
  },
  {
    says: "List parameters (inUserIds, notInUserIds, typeIn, statusIn, interestsIn) are sent as comma-joined values and omitted when empty.",
    code: [
      "core/kernel/operation/input.ts#list",
      "core/requests/model.ts#ListRequests",
      "core/items/model.ts#SearchItems",
      "core/orders/model.ts#SearchOrders",
      "core/profiles/model.ts#SearchProfiles"
    ],
    tests: [
      "test/core/items/operations.test.ts#items.search of admins and end users > sends %s joined by commas",
      "test/core/items/operations.test.ts#items.search of admins and end users > leaves out lists that are empty",
      "test/core/kernel/encoder-query.test.ts#list parameters > refuse a comma in a value: it would become a second value in silence",
      "test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path"
    ]
  },
  {
    says: "Other validation: not shown.",
    code: [
      "core/kernel/codec/encoder.ts#make",
      "core/kernel/operation/path.ts#encode",
      "core/kernel/codec/json.ts#encode"
    ],
    tests: [
      "test/core/kernel/encoder-path.test.ts#a path > refuses %j as a value, with the field",
      "test/core/kernel/encoder-body.test.ts#a body > refuses %s anywhere in it, with the exact field",
      "test/core/kernel/dispatcher-requests.test.ts#nothing is sent > for an input that breaks a rule"
    ],
    note: "What would arrive as something else is refused before anything is sent, with the field and the rule."
  },
  {
    says: "Permission levels: None=0, Read=1, Write=3, Admin=9.",
    code: [
      "core/permissions/level.ts#None",
      "core/permissions/level.ts#Read",
      "core/permissions/level.ts#Write",
      "core/permissions/level.ts#Admin"
    ],
    tests: ["test/docs/vocabulary.test.ts#%s are the specification's"]
  },
  {
    says: "The check for an action on a resource looks at the token's permission map for that resource and action, the resource wildcard, and the global wildcard.",
    code: ["core/permissions/grants.ts#check", "core/kernel/dispatch/dispatcher.ts#make"],
    tests: [
      "test/core/permissions/grants.test.ts#the intended reading > allows what the most specific grant reaches",
      "test/core/kernel/dispatcher-permissions.test.ts#a call that needs a grant > is sent exactly where the permissions allow it, whatever the token holds"
    ]
  },
  {
    says: "No permission at all means denied.",
    code: ["core/permissions/grants.ts#check"],
    tests: ["test/core/permissions/grants.test.ts#no grant > in %j means denied"]
  },
  {
    says: "The comparison as built is almost always true once any permission exists, which looks like a defect.",
    code: ["core/permissions/grants.ts#Reading", "core/permissions/grants.ts#check"],
    tests: [
      "test/core/permissions/grants.test.ts#the reading as built > allows whatever any grant above None names",
      "test/core/permissions/grants.test.ts#the reading as built > lets a reader write, which is the defect that it is kept for"
    ]
  },
  {
    says: "The intended rule is that the level must be at least the required one.",
    code: ["core/permissions/grants.ts#check"],
    tests: [
      "test/core/permissions/grants.test.ts#the intended reading > allows what the most specific grant reaches",
      "test/core/permissions/grants.test.ts#the intended reading > never allows more at a higher required level"
    ]
  },
  {
    says: "Both readings are given.",
    code: ["core/permissions/grants.ts#Reading", "clients/admin/client.ts#ClientConfig"],
    tests: [
      "test/core/kernel/dispatcher-permissions.test.ts#a call that needs a grant > is not sent where it does not, and says what was looked for and what was found",
      "test/core/kernel/dispatcher-permissions.test.ts#a call that needs a grant > is sent by any grant above None in the reading as built"
    ]
  },
  {
    says: "Admin endpoints are for project admins.",
    code: ["clients/admin/client.ts#bind", "core/kernel/operation/operation.ts#Audience"],
    tests: [
      "test/sandbox/credentials.test.ts#right credentials on a call of other audiences are refused: 403, naming whom it serves",
      "test/catalogue.test.ts#the permissions of admins"
    ]
  },
  {
    says: "Role management lets admins create, read, update and delete roles, and add or remove a permission on a role.",
    code: [
      "core/roles/operations.ts#create",
      "core/roles/operations.ts#get",
      "core/roles/operations.ts#update",
      "core/roles/operations.ts#remove",
      "core/roles/operations.ts#addPermission",
      "core/roles/operations.ts#removePermission"
    ],
    tests: [
      "test/sandbox/people.test.ts#a role that is given a permission has it, and its holders may do more from their next sign-in",
      "test/sandbox/people.test.ts#a role is renamed, and holds no permission that does not exist",
      "test/catalogue.test.ts#the permissions of admins > changing admins and roles requires the level Admin"
    ]
  },
  {
    says: "Admin and user CRUD also exists.",
    code: ["clients/admin/admins.ts#create", "clients/admin/users.ts#create"],
    tests: [
      "test/sandbox/people.test.ts#an end user is created, found, changed, deleted and gone, and can sign in in between",
      "test/sandbox/people.test.ts#admins manage each other, but nobody deletes themselves"
    ]
  },
  {
    says: "Private endpoints need a private API key.",
    code: ["clients/private/client.ts#ClientConfig", "clients/private/client.ts#bind"],
    tests: [
      "test/sandbox/credentials.test.ts#every call that is not a sign-in refuses a request without credentials: 401"
    ]
  },
  {
    says: "Some action categories and conversation topics are shown only for two specific projects.",
    code: ["core/tenants/topics.ts#topicsOf", "core/tenants/topics.ts#categoriesOf"],
    tests: [
      "test/core/tenants/topics.test.ts#conversation topics > are none for the project %o",
      "test/core/tenants/topics.test.ts#action categories > are none for the project %o"
    ]
  }
]
