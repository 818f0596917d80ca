/** What each group of calls is for, and which other one may be meant: shown by editors, and above the calls of the group in the documents. */
import type { Audience } from "../../core/kernel/operation/operation.js"

/** By the group's name, or by client and name where a client has a group of another purpose. */
const texts: Readonly<Record<string, string>> = {
  admins:
    "The people who run the project: they sign in to this client and have `roles`. Its end users are `users`.",
  "admin.auth":
    "An admin's sign-in. The client signs in by itself when a call needs it, so a program seldom calls these.",
  "public.auth": "Sign-in and sign-up of end users. The session that they answer makes an end-user client.",
  "endUser.auth":
    "The account of the signed-in end user: name, address, password. What others see is `profile`.",
  boxes: "Data that an app keeps about its visitors and users, such as the result of a quiz, by type.",
  cms: "Entries by the first version of the API, and the structure of all content. `content` has filters and languages.",
  "admin.content":
    "The entries of all content models, with all of their languages: read, write, translate, put in order. Which fields they have is up to `models`.",
  "public.content":
    "The entries of a content model in one language, filtered, searched and sorted; `collection` has them as a type of yours.",
  contentModels:
    "The content models as the legacy service has them, which calls them custom types. `models` has the same, and calls for their fields.",
  conversations: "Conversations with end users and their messages. New messages go through the chat.",
  entities: "Things of a kind that the project defines, such as apartments, with fields of its own.",
  events: "What takes place for the signed-in end user, such as an appointment.",
  exchangeRates: "The exchange rates of a central bank.",
  "admin.files":
    "All files of the project: list, read, download, delete. Visitors, users and servers upload them.",
  "endUser.files": "Files of the signed-in end user: upload and read.",
  "private.files": "Uploads of a server, for one end user or for all.",
  "public.files": "Uploads of visitors that belong to a form. Pictures go to `images`.",
  images: "Uploads of pictures that everybody may see.",
  "admin.intranet": "The report of who is absent from work, and when.",
  "endUser.intranet": "The charts of the company, and the holidays of the signed-in end user.",
  items: "What the shop offers: to buy, to rent or to order.",
  models:
    "The content models and their fields: what entries of `content` can hold. It is the newer form of `contentModels`.",
  "admin.notifications": "Sends notifications to end users: to one, to several or to all.",
  "endUser.notifications": "The notifications of the signed-in end user: list them, and mark them as seen.",
  "private.notifications": "Sends notifications from a server: inside of apps, as text messages, to devices.",
  orderGroups: "Orders that were made together. One order alone is in `orders`.",
  "admin.orders":
    "Orders by the first version of the API, which alone can change them. `ordersV2` lists and reads the same, and downloads them.",
  "endUser.orders": "The orders of the signed-in end user.",
  ordersV2:
    "Orders by the second version of the API: list, read, and download as CSV. `orders` has the same ones, and changes them.",
  "admin.payments": "Payments: list, read, download, refund, and see what happened to one.",
  "private.payments": "Payments that a server asks for, by a link at which the receiver pays.",
  permissions: "The permissions that `roles` can hold.",
  preferences: "What the app of the signed-in admin keeps for them, under keys of its choice.",
  profile:
    "The profile of the signed-in end user in the shop, those of others, and who follows and blocks whom.",
  profiles: "The end users as the shop shows them. Their accounts are `users`.",
  "admin.projects": "The projects of the admin, with their settings and keys.",
  "private.project": "The project of the private key.",
  "public.project": "The project of the API key.",
  providers: "The services that the project can switch on, and what two of them answer.",
  "admin.requests": "Requests of end users, such as one for a repair: list, answer, comment.",
  "endUser.requests":
    "The requests of the signed-in end user: make one, follow it, confirm and review its answer.",
  roles: "The roles of admins, and the permissions of each.",
  users:
    "The accounts of end users: create, change, delete. `profiles` is what the shop shows of them, and those who run the project are `admins`."
}

/** What a group of calls is for, in one or two sentences. */
export const groupText = (audience: Audience, group: string): string =>
  texts[`${audience}.${group}`] ?? texts[group] ?? ""

/** The keys of all texts. */
export const groupKeys: ReadonlyArray<string> = Object.keys(texts)
