/** Section 7, the end-user client's part. */
import type { CallsRow, Row } from "./row.js"

const client = "endUser"

export const rows: ReadonlyArray<Row | CallsRow> = [
  {
    says: "End-user client (session plus API key):",
    code: ["clients/end-user/client.ts#layer", "core/kernel/session/keys.ts#make"],
    tests: ["test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path"]
  },
  {
    says: "GET auth/self; POST auth/self/update; POST auth/self/updatePassword {oldPassword, newPassword}.",
    client,
    tests: [
      "test/sandbox/credentials.test.ts#a visitor signs up, becomes an end user, and changes name and password"
    ]
  },
  {
    says: "Request-action CRUD; PUT {id}/seen {version}; POST {id}/add-comment; POST {id}/review; POST request-action/confirm.",
    client,
    tests: [
      "test/sandbox/requests.test.ts#a request is filed, found, changed, withdrawn and gone",
      "test/sandbox/requests.test.ts#both sides comment, each comment raises the version, and each side sees who wrote",
      "test/sandbox/requests.test.ts#a version is marked as seen only while it is the newest",
      "test/sandbox/requests.test.ts#an admin answers, the end user reviews and confirms, and an archived request takes no answer"
    ]
  },
  {
    says: "GET, PUT and DELETE event.",
    client,
    tests: ["test/sandbox/office.test.ts#an end user lists, moves and deletes their events"],
    note: "PUT and DELETE need an id: they are read as calls on event/{id}."
  },
  {
    says: "Box CRUD.",
    client,
    tests: [
      "test/sandbox/other-side.test.ts#an end user's box is changed, deleted and gone",
      "test/sandbox/office.test.ts#a visitor's boxes and an end user's are apart"
    ]
  },
  {
    says: "E-commerce profile: get (basic and /full); PUT profile; POST profile/search; POST and DELETE profile/{id}/follow; POST profile/{id}/followers and /followings {limit, page}; POST, DELETE and GET profile/{id}/block.",
    client,
    tests: [
      "test/sandbox/profiles.test.ts#a profile has a short and a full form, and its owner changes what is theirs to change",
      "test/sandbox/profiles.test.ts#who follows is among the followers, until they unfollow",
      "test/sandbox/profiles.test.ts#a block ends following both ways and hides the blocker from the blocked, until it is lifted",
      "test/core/profiles/operations.test.ts#profile.%s > sends limit and page in the body"
    ]
  },
  {
    says: "Items: item search, item/{id}, item search/feature, item/feature.",
    client,
    tests: [
      "test/sandbox/shop.test.ts#items are searched by text, price and the specification's lists, and sorted",
      "test/sandbox/shop.test.ts#featured items come as a bare list, and as a page where they are searched"
    ]
  },
  {
    says: "Orders: get, POST search, PUT.",
    client,
    tests: [
      "test/sandbox/shop.test.ts#an end user finds and cancels their own order, and nobody else's",
      "test/sandbox/shop.test.ts#an order that is paid or delivered is not cancelled any more, and knows no other statuses"
    ]
  },
  {
    says: "Order groups: get and search.",
    client,
    tests: ["test/sandbox/shop.test.ts#an end user finds and cancels their own order, and nobody else's"],
    note: "The search is read as POST, as the orders' beside it is."
  },
  {
    says: "GET intranet/orgChart, intranet/managementChart, intranet/holiday/balance; GET intranet/holiday/check (startDate, endDate).",
    client,
    tests: [
      "test/sandbox/office.test.ts#the intranet reports absences by kind, and answers charts, a balance and a check",
      "test/core/intranet/operations.test.ts#intranet.holidayCheck > sends a Date as its ISO date-time and text as it is"
    ]
  },
  {
    says: "PUT notification/{id}/seen; GET notification; cms/file upload and download.",
    client,
    tests: [
      "test/sandbox/office.test.ts#a notification that is sent reaches the end user's list and is seen once they say so",
      "test/sandbox/files.test.ts#an upload is kept byte for byte, listed, downloaded, deleted and gone"
    ]
  }
]
