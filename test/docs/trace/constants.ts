/** Sections 8 (error catalogue) and 9 (business constants and limits), and what section 7 says after its calls. */
import type { Row } from "./row.js"

export const answers: ReadonlyArray<Row> = [
  {
    says: "What the product does with each answer: not shown beyond date conversion, and the token, user and session id kept after admin sign-in.",
    code: ["core/kernel/codec/decoder.ts#make", "core/kernel/session/credentials-provider.ts#make"],
    tests: [
      "test/core/kernel/decoder-fields.test.ts#date-times > become Dates in undeclared fields, at any depth",
      "test/core/auth/credentials-provider-sign-in.test.ts#signing in > keeps the user with the token and the session id"
    ]
  },
  {
    says: "Result shapes: not shown.",
    code: [
      "core/kernel/operation/answer.ts#Answer",
      "core/kernel/operation/entity.ts#Anything",
      "core/kernel/codec/page.ts#decoder"
    ],
    tests: [
      "test/core/kernel/decoder-fields.test.ts#what is not declared > is kept whatever JSON it is",
      "test/core/kernel/page.test.ts#a page is read from > an object whose only list has a name of its own",
      "test/core/kernel/dispatcher-answers.test.ts#an operation narrowed by `as` > reads each item of a list by it"
    ]
  },
  {
    says: "Server behaviour: not shown.",
    code: ["adapters/sandbox/sandbox.ts#make"],
    tests: [
      "test/sandbox/catalogue.test.ts#the sandbox's routes > have a handler for every operation of the catalogue"
    ],
    note: "The sandbox behaves as such a platform would; the clients rely on none of it."
  }
]

export const rows: ReadonlyArray<Row> = [
  {
    says: "'Session ID and access token or email and password must be provided' (admin client created without usable credentials).",
    code: [
      "core/kernel/errors/errors.ts#missingCredentials",
      "core/kernel/errors/errors.ts#CredentialsError"
    ],
    tests: ["test/promise/configuration.test.ts#an admin client > is not made of %j"]
  },
  {
    says: "Server error codes and handling of HTTP errors: not shown.",
    code: ["core/kernel/dispatch/response.ts#ofStatus", "core/kernel/errors/errors.ts#CallError"],
    tests: [
      "test/core/kernel/failure-answers.test.ts#a status > %d is %s",
      "test/core/kernel/errors.test.ts#an error > of every tag in the union is among these"
    ]
  },
  {
    says: "Chat connection poll interval: 100 ms.",
    code: ["core/chat/policy.ts#defaults"],
    tests: [
      "test/core/chat/connecting.test.ts#opening a chat > polls the connection every 100 ms until it stands"
    ]
  },
  {
    says: "Permission weights: None 0, Read 1, Write 3, Admin 9.",
    code: ["core/permissions/level.ts#Level"],
    tests: ["test/docs/vocabulary.test.ts#%s are the specification's"]
  },
  {
    says: "Demo data: SMS worldwide price 0.35 per piece; SMS Georgia 0.004 per piece; monthly hosting 100 per month.",
    code: ["core/onboarding/demo.ts#demo"],
    tests: ["test/core/onboarding/state.test.ts#the demo data > has the specification's prices"]
  },
  {
    says: "Demo stats: user 3, content 11, registered users 5, bill 7.11 USD.",
    code: ["core/onboarding/demo.ts#demo"],
    tests: ["test/core/onboarding/state.test.ts#the demo data > has the specification's figures"]
  },
  {
    says: "Conversation topics for one specific project: General, CRM, Contact Center, Sales, Broker, Complex Manager, Other.",
    code: ["core/tenants/model.ts#Topic", "core/tenants/topics.ts#topicsOf"],
    tests: [
      "test/docs/vocabulary.test.ts#$says > are those of the specification, in its order",
      "test/core/tenants/topics.test.ts#conversation topics > are those of the specification for the configured project"
    ]
  },
  {
    says: "Action categories for two projects: Maintenance, Broker, Linking, Other.",
    code: ["core/tenants/model.ts#CategoryLabel", "core/tenants/topics.ts#categoriesOf"],
    tests: [
      "test/docs/vocabulary.test.ts#$says > are those of the specification, in its order",
      "test/core/tenants/topics.test.ts#action categories > of the first project are the four of the specification"
    ]
  },
  {
    says: "The second project's only category is Other, with extra types such as a visit to the construction site, a meeting with a designer about planning changes, agreement on electric and wet points, payment schedule change, and Change File.",
    code: ["core/tenants/topics.ts#extraTypes", "core/tenants/topics.ts#categoriesOf"],
    tests: [
      "test/core/tenants/topics.test.ts#action categories > of the second project are Other alone",
      "test/core/tenants/topics.test.ts#action categories > have the extra types that the specification names"
    ]
  },
  {
    says: "Page sizes and rates: not shown.",
    code: ["core/kernel/dispatch/pagination.ts#Walk", "core/kernel/dispatch/retry.ts#defaults"],
    tests: [
      "test/core/kernel/pages.test.ts#the input of a list > that asks for no page size leaves it to the platform",
      "test/core/kernel/dispatcher-backoff.test.ts#a pause > is as long as the platform asks, where it asks"
    ],
    note: "The platform decides on both: a page size is sent only where it is asked for, and a 429 says how long to wait."
  }
]
