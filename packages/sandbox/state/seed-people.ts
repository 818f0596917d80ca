/** Seeds the people: permissions and roles, five admins, sixty end users, and follows. */
import { accounts } from "../accounts.js"
import type { Admin, Permission, Relation, Role, User } from "./entities.js"
import * as Georgian from "./georgian.js"
import type { Random } from "./random.js"
import * as Words from "./vocabulary.js"

export interface People {
  readonly permissions: ReadonlyArray<Permission>
  readonly roles: ReadonlyArray<Role>
  readonly admins: ReadonlyArray<Admin>
  readonly users: ReadonlyArray<User>
  readonly follows: ReadonlyArray<Relation>
  readonly passwords: Map<string, string>
}

/** The resources of permissions: the slices of the catalogue. */
const resources = [
  "*",
  "admins",
  "content",
  "contentModels",
  "conversations",
  "entities",
  "files",
  "intranet",
  "items",
  "models",
  "notifications",
  "orderGroups",
  "orders",
  "ordersV2",
  "payments",
  "permissions",
  "preferences",
  "profiles",
  "projects",
  "providers",
  "requests",
  "roles",
  "users"
] as const

const levels = [1, 3, 9] as const

const stampsOf = (
  random: Random
): { readonly _id: string; readonly createdAt: Date; readonly updatedAt: Date } => {
  const createdAt = random.date(Words.began, Words.ended)
  return { _id: random.id(), createdAt, updatedAt: createdAt }
}

export const seedPeople = (random: Random): People => {
  const permissions = resources.flatMap((resource) =>
    levels.map((level): Permission => ({ ...stampsOf(random), resource, action: "*", level }))
  )
  const idsOf = (isGranted: (permission: Permission) => boolean): ReadonlyArray<string> =>
    permissions.filter(isGranted).map(({ _id }) => _id)

  const role = (name: string, isGranted: (permission: Permission) => boolean): Role => ({
    ...stampsOf(random),
    name,
    permissions: idsOf(isGranted)
  })
  const owner = role("Owner", ({ level, resource }) => resource === "*" && level === 9)
  const viewer = role("Viewer", ({ level, resource }) => resource === "*" && level === 1)
  const support = role(
    "Support",
    ({ level, resource }) =>
      (resource === "*" && level === 1) ||
      (level === 3 && ["requests", "conversations", "notifications"].includes(resource))
  )
  const editor = role(
    "Editor",
    ({ level, resource }) => level === 3 && ["content", "contentModels", "models", "files"].includes(resource)
  )

  const passwords = new Map<string, string>()
  const admin = (email: string, fullName: string, role: Role, password: string): Admin => {
    const account = { ...stampsOf(random), email, fullName, roles: [role._id] }
    passwords.set(account._id, password)
    return account
  }
  const admins = [
    admin(accounts.admin.email, "Tamar Chikovani", owner, accounts.admin.password),
    admin(accounts.viewer.email, "Felix Keller", viewer, accounts.viewer.password),
    admin("support@quartet.test", "Luka Dolidze", support, "support-password"),
    admin("editor@quartet.test", "Salome Meladze", editor, "editor-password"),
    admin("sales@quartet.test", "Irakli Lomidze", support, "sales-password")
  ]

  /** Where a resident lives, which is a field of this project alone. */
  const homeOf = ({ type }: User, number: number): { readonly home?: string } =>
    type === "resident"
      ? { home: `Block ${"ABCD".charAt(number % 4)}, flat ${3 + ((number * 19) % 117)}` }
      : {}

  const user = (email: string, fullName: string): User => ({
    ...stampsOf(random),
    email,
    fullName,
    phone: `+9955${random.int(50, 99)}${String(random.int(0, 999_999)).padStart(6, "0")}`,
    city: random.pick(Words.cities),
    about: random.chance(0.5) ? `Lives in ${random.pick(Words.districts)}.` : null,
    interests: random.some(Words.interests, random.int(1, 3)),
    type: random.pick(["resident", "resident", "buyer", "broker"]),
    status: random.chance(0.9) ? "active" : "inactive"
  })
  const { ana, beka } = accounts.endUsers
  const users = [
    { ...user(ana.email, "Ana Beridze"), type: "resident", status: "active" },
    { ...user(beka.email, "Beka Kapanadze"), type: "broker", status: "active" }
  ]
  passwords.set(users[0]?._id ?? "", ana.password)
  passwords.set(users[1]?._id ?? "", beka.password)
  while (users.length < 60) {
    const first = random.pick(Words.firstNames)
    const last = random.pick(Words.lastNames)
    const number = users.length
    const fullName =
      (number % 6 === 2 || number === 7 ? Georgian.nameOf(first, last) : undefined) ?? `${first} ${last}`
    const added = user(`${first}.${last}.${number}@example.test`.toLowerCase(), fullName)
    users.push({ ...added, ...homeOf(added, number) })
  }

  const follows: Array<Relation> = []
  for (const from of users) {
    for (const to of random.some(users, random.int(0, 6))) {
      if (to._id === from._id) continue
      follows.push({
        _id: `${from._id}.${to._id}`,
        from: from._id,
        to: to._id,
        createdAt: random.date(Words.began, Words.ended)
      })
    }
  }
  return { permissions, roles: [owner, viewer, support, editor], admins, users, follows, passwords }
}
