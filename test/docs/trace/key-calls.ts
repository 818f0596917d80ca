/** Section 7, the parts of the clients whose credentials are keys: public and private. */
import type { CallsRow, Row } from "./row.js"

export const publicRows: ReadonlyArray<Row | CallsRow> = [
  {
    says: "Public client (API key header):",
    code: ["clients/public/client.ts#layer", "core/kernel/session/keys.ts#make"],
    tests: ["test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path"]
  },
  {
    says: "GET /project/self; POST /auth/signup; POST /auth/login {email, password}.",
    client: "public",
    tests: [
      "test/sandbox/other-side.test.ts#a visitor reads the project of their key, and a server the same with its keys",
      "test/sandbox/credentials.test.ts#a visitor signs up, becomes an end user, and changes name and password",
      "test/sandbox/office.test.ts#the project is changed by an admin, and a visitor's key never leads to the private one"
    ]
  },
  {
    says: "GET cms/{apiId} and cms/{apiId}/{id}.",
    client: "public",
    tests: [
      "test/sandbox/content.test.ts#an entry lives through create, list, update, delete and 404, in its model's types"
    ]
  },
  {
    says: "GET v2/cms/content/{apiId} with f.<key> and s.<key> filters (contains is sent as is, lt as '<value', gt as '>value').",
    client: "public",
    tests: [
      "test/core/content/operations.test.ts#content.listV2 > sends filters as f.<k> and searches as s.<k>, beside further fields",
      "test/core/content/query-text.test.ts#a filter in v2 > condition and text come back as they were",
      "test/sandbox/visitor-content.test.ts#v2 filters by containment, less and greater, and searches in any of the fields"
    ]
  },
  {
    says: "GET v3/cms/content/api/{apiId} with lang, p.<key>, s.<key> as 'op|value|type', and sort o.<key>.",
    client: "public",
    tests: [
      "test/core/content/operations.test.ts#content.list > sends the language, filters as p.<k>, searches as s.<k> and sorts as o.<k>",
      "test/core/content/operations.test.ts#content.list > what the platform reads is what was asked",
      "test/sandbox/visitor-content.test.ts#v3 filters with operators and types, sorts by several fields, and pages"
    ]
  },
  {
    says: "GET v3/cms/content/{id}?lang.",
    client: "public",
    tests: [
      "test/sandbox/visitor-content.test.ts#v3 answers, filters and searches in the language that is asked for",
      "test/sandbox/content.test.ts#an entry lives through create, list, update, delete and 404, in its model's types"
    ]
  },
  {
    says: "GET v1/cms/structure.",
    client: "public",
    tests: [
      "test/sandbox/content.test.ts#the structure names all models with their fields, and a translation is kept by its key"
    ]
  },
  {
    says: "POST v1/cms/file (form, file).",
    client: "public",
    tests: [
      "test/core/files/operations.test.ts#files.upload > of a visitor has the form's data before the file, as JSON",
      "test/sandbox/files.test.ts#a visitor's upload keeps the form that it belongs to, and an image must be one"
    ]
  },
  {
    says: "POST /image/upload.",
    client: "public",
    tests: [
      "test/sandbox/files.test.ts#a visitor's upload keeps the form that it belongs to, and an image must be one"
    ]
  },
  {
    says: "POST /ecommerce/item/search; GET ecommerce/item/{id}.",
    client: "public",
    tests: ["test/sandbox/shop.test.ts#all four audiences read the same 250 items, each by their own call"]
  },
  {
    says: "Box CRUD under /v1/box.",
    client: "public",
    tests: ["test/sandbox/office.test.ts#a visitor's boxes and an end user's are apart"]
  },
  {
    says: "GET /v1/nbg/{currency} (a central bank exchange rate).",
    client: "public",
    tests: ["test/sandbox/office.test.ts#the central bank knows the rate of a currency, and 404 for another"]
  }
]

export const privateRows: ReadonlyArray<Row | CallsRow> = [
  {
    says: "Private client (private key header):",
    code: ["clients/private/client.ts#layer", "core/kernel/session/keys.ts#make"],
    tests: ["test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path"]
  },
  {
    says: "GET /project/self.",
    client: "private",
    tests: [
      "test/sandbox/other-side.test.ts#a visitor reads the project of their key, and a server the same with its keys",
      "test/sandbox/office.test.ts#the project is changed by an admin, and a visitor's key never leads to the private one"
    ]
  },
  {
    says: "POST notification/sendInApp; POST notification/sms {to, body}; POST pushNotification/users.",
    client: "private",
    tests: [
      "test/sandbox/office.test.ts#a notification that is sent reaches the end user's list and is seen once they say so"
    ]
  },
  {
    says: "POST payment/payWithLink; GET transaction/{id}.",
    client: "private",
    tests: [
      "test/sandbox/shop.test.ts#a link begins a payment that the admin then sees with its first event"
    ],
    note: "`transaction/{id}` is read as a member of payment/transaction."
  },
  {
    says: "POST cms/file (optional isPrivate, userId); GET ecommerce/item.",
    client: "private",
    tests: [
      "test/core/files/operations.test.ts#files.upload > of a server may say that the file is private, and whose it is",
      "test/sandbox/files.test.ts#a private file is its owner's and the admins' alone",
      "test/sandbox/shop.test.ts#all four audiences read the same 250 items, each by their own call"
    ]
  }
]
