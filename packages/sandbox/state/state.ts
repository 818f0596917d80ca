/** The state of one sandbox: one value, made from a seed, that its handlers read and change. */
import type { Project } from "@quartet/sdk/extend/models/projects"
import { accounts } from "../accounts.js"
import type * as Cms from "./entities.js"
import type * as Desk from "./entities.js"
import type * as Office from "./entities.js"
import type * as People from "./entities.js"
import type * as Shop from "./entities.js"
import * as Random from "./random.js"
import { seedCms } from "./seed-cms.js"
import { seedContent } from "./seed-content.js"
import { seedDesk } from "./seed-desk.js"
import { seedFiles } from "./seed-files.js"
import { absencesOfMonth, seedOffice } from "./seed-office.js"
import { seedPeople } from "./seed-people.js"
import { seedShop } from "./seed-shop.js"
import { Sessions } from "./sessions.js"
import { Table } from "./table.js"
import { ended } from "./vocabulary.js"

/** The state of a sandbox. @category models */
export interface State {
  readonly seed: number
  /** Randomness for all data after the seeding. */
  readonly random: Random.Random
  readonly sessions: Sessions
  /** Passwords by account id. */
  readonly passwords: Map<string, string>
  project: Project
  /** Requested translations by key. */
  readonly translations: Map<string, string>
  /** Bytes of files by file id. */
  readonly bytes: Map<string, Uint8Array>

  readonly admins: Table<People.Admin>
  readonly users: Table<People.User>
  readonly roles: Table<People.Role>
  readonly permissions: Table<People.Permission>
  readonly preferences: Table<People.Preference>
  readonly follows: Table<People.Relation>
  readonly blocks: Table<People.Relation>

  readonly items: Table<Shop.Item>
  readonly orders: Table<Shop.Order>
  readonly orderGroups: Table<Shop.OrderGroup>
  readonly transactions: Table<Shop.Transaction>
  readonly transactionEvents: Table<Shop.TransactionEvent>

  readonly requests: Table<Desk.Request>
  readonly conversations: Table<Desk.Conversation>
  readonly messages: Table<Desk.Message>
  readonly notifications: Table<Desk.Notification>
  readonly boxes: Table<Desk.Box>
  readonly events: Table<Desk.Event>

  readonly models: Table<Cms.Model>
  readonly entries: Table<Cms.Entry>
  readonly files: Table<Cms.File>

  readonly providers: Table<Office.Provider>
  readonly entities: Table<Office.ProjectEntity>
  readonly absences: Table<Office.Absence>
  readonly deals: Table<Office.Deal>
  readonly organisation: Office.Unit
  readonly management: Office.Unit
}

/** The state of a fresh sandbox. The same seed makes the same state, but for the absences of the present month. */
export const make = (seed: number, now: Date = ended): State => {
  const chance = (name: string): Random.Random => Random.make(seed, name)
  const people = seedPeople(chance("people"))
  const users = people.users
  const pictures = seedFiles(chance("pictures"))
  const shop = seedShop(chance("shop"), users, pictures)
  const desk = seedDesk(chance("desk"), users, people.admins, pictures)
  const models = seedCms(chance("models"), chance("later fields"))
  const content = seedContent(chance("content"), models, pictures, chance("drafts"))
  const office = seedOffice(chance("office"), users)
  const absences = [
    ...office.absences,
    ...absencesOfMonth(chance("month"), now, [...people.admins, ...users.slice(2, 10)])
  ]
  return {
    seed,
    random: chance("runtime"),
    sessions: new Sessions(),
    passwords: people.passwords,
    project: {
      _id: accounts.projectId,
      name: "Rustaveli Homes",
      users: people.admins.map((admin) => admin._id),
      custom_types: models.map((model) => model._id),
      files: content.files.map((file) => file._id),
      languages: ["en", "ka"],
      providers: office.providers,
      api_key: accounts.apiKey,
      private_api_key: accounts.privateKey,
      created: new Date("2023-03-01T08:00:00Z"),
      metadata: { city: "Tbilisi", currency: "USD", timezone: "Asia/Tbilisi" }
    },
    translations: new Map(),
    bytes: content.bytes,
    admins: new Table("the admin", people.admins),
    users: new Table("the user", users),
    roles: new Table("the role", people.roles),
    permissions: new Table("the permission", people.permissions),
    preferences: new Table("the preference"),
    follows: new Table("the follow", people.follows),
    blocks: new Table("the block"),
    items: new Table("the item", shop.items),
    orders: new Table("the order", shop.orders),
    orderGroups: new Table("the order group", shop.orderGroups),
    transactions: new Table("the transaction", shop.transactions),
    transactionEvents: new Table("the event of the transaction", shop.transactionEvents),
    requests: new Table("the request", desk.requests),
    conversations: new Table("the conversation", desk.conversations),
    messages: new Table("the message", desk.messages),
    notifications: new Table("the notification", desk.notifications),
    boxes: new Table("the box", desk.boxes),
    events: new Table("the event", desk.events),
    models: new Table("the model", models),
    entries: new Table("the content", content.entries),
    files: new Table("the file", content.files),
    providers: new Table("the provider", office.providers),
    entities: new Table("the entity", office.entities, ({ kind }) => kind),
    absences: new Table("the absence", absences),
    deals: new Table("the deal", office.deals),
    organisation: office.organisation,
    management: office.management
  }
}
