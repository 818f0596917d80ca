/** The specification's opening, and its sections 1 (what and for whom) and 2 (screens). */
import type { Row } from "./row.js"

export const rows: ReadonlyArray<Row> = [
  {
    says: "The product is a set of four API clients for a hosted backend platform covering headless content management, e-commerce, user and role administration, chat, notifications, payments, an intranet with holidays, and a request/action workflow.",
    code: [
      "clients/index.ts#Admin",
      "clients/index.ts#Public",
      "clients/index.ts#Private",
      "clients/index.ts#EndUser"
    ],
    tests: [
      "test/catalogue.test.ts#the %s client > offers each of them, and no other",
      "test/testing/testing.test.ts#a test over the sandbox > has all four clients on one platform, without a network"
    ]
  },
  {
    says: "This document covers the whole product.",
    code: ["core/catalogue.ts#operations"],
    tests: [
      "test/docs/specification.test.ts#the trace > covers every statement of the specification, in its order, and invents none",
      "test/wire/ledger.test.ts#every operation has a row for each audience, and every row has an operation"
    ]
  },
  {
    says: "It has no screens.",
    code: ["clients/index.ts#Admin"],
    tests: ["test/architecture/layers.test.ts#the layers"],
    note: "No client imports anything of ui; the console is an app of its own on top of them."
  },
  {
    says: "Every call below is stated as method, path shape and payload shape, without values.",
    code: ["core/kernel/operation/operation.ts#Declaration"],
    tests: [
      "test/catalogue.test.ts#the %s client > finds each of them declared once, at its address, and no other",
      "test/catalogue.test.ts#the %s client > takes in each call the parameters that the list names"
    ]
  },
  {
    says: "Four clients exist:",
    code: [
      "clients/admin/client.ts#Client",
      "clients/public/client.ts#Client",
      "clients/private/client.ts#Client",
      "clients/end-user/client.ts#Client"
    ],
    tests: [
      "test/wire/ledger.test.ts#the list has 168 rows: 93 for admins, 19 for visitors, 8 for servers, 48 for end users",
      "test/promise/names.test.ts#the %s client > offers every call of the Effect client by the same name, and no other"
    ]
  },
  {
    says: "Admin client | project administrators | e-mail and password, or a session id and access token; the token is sent as bearer plus a session header",
    code: ["clients/admin/client.ts#AdminCredentials", "core/kernel/session/admin-session.ts#present"],
    tests: [
      "test/wire/configuration.test.ts#an admin's sign-in > happens once; its token and session are then sent to both services",
      "test/wire/configuration.test.ts#an admin's sign-in > does not happen where a session is given",
      "test/sandbox/credentials.test.ts#an admin needs the token and the session, and both must be the same admin's"
    ],
    note: "The names of the headers are not given: `authorization` and `x-session-id`, unless `headerNames` says otherwise."
  },
  {
    says: "Public client | visitors | project API key in a header",
    code: ["clients/public/client.ts#ClientConfig", "core/kernel/session/keys.ts#make"],
    tests: [
      "test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path",
      "test/sandbox/credentials.test.ts#every call that is not a sign-in refuses a request without credentials: 401"
    ]
  },
  {
    says: "Private client | server-to-server use | private API key in a header",
    code: ["clients/private/client.ts#ClientConfig", "core/kernel/session/keys.ts#make"],
    tests: [
      "test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path",
      "test/sandbox/credentials.test.ts#every call that is not a sign-in refuses a request without credentials: 401"
    ]
  },
  {
    says: "End-user client | signed-in end user | session id plus API key",
    code: ["clients/end-user/client.ts#ClientConfig", "clients/end-user/sign-in.ts#signIn"],
    tests: [
      "test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path",
      "test/promise/sign-in.test.ts#an end user's sign-in > makes the client of whoever signed in"
    ]
  },
  {
    says: "Behaviour common to all clients:",
    code: ["core/kernel/dispatch/dispatcher.ts#make", "core/kernel/dispatch/binding.ts#binder"],
    tests: ["test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path"]
  },
  {
    says: "The user or project is read on demand if not yet loaded.",
    code: [
      "core/kernel/session/on-demand.ts#make",
      "clients/admin/on-demand.ts#me",
      "clients/admin/on-demand.ts#project",
      "clients/public/on-demand.ts#project",
      "clients/private/on-demand.ts#project",
      "clients/end-user/on-demand.ts#me"
    ],
    tests: [
      "test/promise/on-demand.test.ts#on demand > the project is read once, however many ask, until it is invalidated",
      "test/promise/on-demand.test.ts#on demand > the admin is read from the token, after a sign-in where there was none",
      "test/core/kernel/single-flight.test.ts#a kept value > is read once, by whoever asks first, until it is invalidated"
    ]
  },
  {
    says: "Any response string in ISO date-time form is converted to a date.",
    code: ["core/kernel/codec/dates.ts#parse", "core/kernel/codec/state.ts#revive"],
    tests: [
      "test/core/kernel/decoder-fields.test.ts#date-times > become Dates in undeclared fields, at any depth",
      "test/core/kernel/decoder-fields.test.ts#date-times > become Dates where the whole answer is undeclared",
      "test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path"
    ],
    note: "Text that has the form and is no date, such as February 30, stays text."
  },
  {
    says: "Admins and end users are separate kinds of identity.",
    code: ["core/kernel/session/token.ts#AdminIdentity", "core/auth/model.ts#User"],
    tests: [
      "test/sandbox/credentials.test.ts#right credentials on a call of other audiences are refused: 403, naming whom it serves",
      "test/core/auth/token.test.ts#a token > names the admin: subject, e-mail, name and permissions"
    ]
  },
  {
    says: "Some action categories and conversation topics appear only for two specific projects (see point 9).",
    code: ["core/tenants/topics.ts#topicsOf", "core/tenants/topics.ts#categoriesOf"],
    tests: [
      "test/core/tenants/topics.test.ts#a client for which nothing is configured shows nothing to anyone",
      "test/promise/local.test.ts#topics and categories are for the configured projects only"
    ],
    note: "The specification does not give the projects' ids: they are configuration (`Tenants`)."
  },
  {
    says: "Not shown as client routes.",
    code: ["clients/index.ts#Admin"],
    tests: ["test/architecture/layers.test.ts#the layers"]
  },
  {
    says: "The product has no screens; only API paths exist, listed under point 7.",
    code: ["core/catalogue.ts#operations"],
    tests: [
      "test/wire/ledger.test.ts#every operation has a row for each audience, and every row has an operation"
    ]
  }
]
