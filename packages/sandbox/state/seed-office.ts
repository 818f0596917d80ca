/** Seeds the company: providers, entities, absences, deals and two charts. */
import type { Absence, Admin, Deal, kinds, ProjectEntity, Provider, Unit, User } from "./entities.js"
import type { Random } from "./random.js"
import * as Words from "./vocabulary.js"

export interface Office {
  readonly providers: ReadonlyArray<Provider>
  readonly entities: ReadonlyArray<ProjectEntity>
  readonly absences: ReadonlyArray<Absence>
  readonly deals: ReadonlyArray<Deal>
  readonly organisation: Unit
  readonly management: Unit
}

const day = 86_400_000

const providers = [
  ["authentication", "v2", true],
  ["zoho", "v2", true],
  ["bog-payments", "v2", true],
  ["tbc-payments", "v2", false],
  ["smsoffice", "v2", true],
  ["legacy-mail", "v1", true],
  ["legacy-crm", "v1", false]
] as const

const types = [
  "holiday",
  "family",
  "unpaid",
  "sick_day",
  "maternity",
  "day_off",
  "system",
  "bulletin"
] as const

const absence = (random: Random, user: User, index: number): Absence => {
  const days = random.int(1, 14)
  const startDate = random.date(Words.began, Words.ended)
  return {
    _id: random.id(),
    // Every kind occurs; holidays most of all.
    type: index < types.length ? (types[index] ?? "holiday") : random.pick([...types, "holiday", "holiday"]),
    accrualType: random.pick(["calendar", "start_of_work"]),
    userId: user._id,
    fullName: user.fullName,
    startDate,
    endDate: new Date(startDate.getTime() + (days - 1) * day),
    days,
    status: random.pick(["approved", "approved", "requested"]),
    createdAt: startDate,
    updatedAt: startDate
  }
}

/**
 * Absences in the month of a moment, one for each of some people, so that a calendar of this month is not empty. They follow from the
 * month alone, not from the day, and stand last in a list of the newest.
 */
export const absencesOfMonth = (
  random: Random,
  now: Date,
  people: ReadonlyArray<Admin | User>
): ReadonlyArray<Absence> =>
  people.map(({ _id, fullName }, index): Absence => {
    const days = 1 + ((index * 3) % 9)
    const startDate = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1 + ((index * 5) % 24)))
    const createdAt = new Date(Words.began.getTime() - (index + 1) * day)
    return {
      _id: random.id(),
      type: index % 4 === 3 ? "sick_day" : index % 6 === 4 ? "day_off" : "holiday",
      accrualType: "calendar",
      userId: _id,
      fullName,
      startDate,
      endDate: new Date(startDate.getTime() + (days - 1) * day),
      days,
      status: index % 3 === 2 ? "requested" : "approved",
      createdAt,
      updatedAt: createdAt
    }
  })

const deal = (random: Random): Deal => ({
  _id: random.id(),
  name: `${random.pick(Words.districts)} ${random.pick(["office", "penthouse", "block", "plot"])}`,
  stage: random.pick(["Qualification", "Proposal", "Negotiation", "Closed won", "Closed lost"]),
  amount: random.int(40, 900) * 1_000,
  currency: "USD",
  contact: `${random.pick(Words.firstNames)} ${random.pick(Words.lastNames)}`,
  closesAt: random.date(Words.began, Words.ended)
})

export const seedOffice = (random: Random, users: ReadonlyArray<User>): Office => {
  const name = (): string => `${random.pick(Words.firstNames)} ${random.pick(Words.lastNames)}`
  const unit = (title: string, below: ReadonlyArray<Unit> = []): Unit => ({
    _id: random.id(),
    title,
    person: name(),
    below
  })
  const entity = (kind: (typeof kinds)[number], values: Readonly<Record<string, unknown>>): ProjectEntity => {
    const createdAt = random.date(Words.began, Words.ended)
    return { ...values, _id: random.id(), kind, createdAt, updatedAt: createdAt }
  }
  return {
    providers: providers.map(
      ([title, type, isActive]): Provider => ({
        _id: random.id(),
        name: title,
        type,
        isActive,
        createdAt: Words.began,
        updatedAt: Words.began
      })
    ),
    entities: [
      ...Words.districts.map((district) =>
        entity("complex", { name: `${district} complex`, district, blocks: random.int(1, 6) })
      ),
      ...Array.from({ length: 30 }, (_, index) =>
        entity("apartment", { number: index + 1, floor: random.int(1, 20), area: random.int(30, 180) })
      )
    ],
    // The first twelve users work for the company.
    absences: Array.from({ length: 60 }, (_, index) =>
      absence(random, users[index % 12] ?? random.pick(users), index)
    ),
    deals: Array.from({ length: 45 }, () => deal(random)),
    organisation: unit("Rustaveli Homes", [
      unit("Sales", [unit("Brokers"), unit("Contact center")]),
      unit("Construction", [unit("Architecture"), unit("Sites")]),
      unit("Service", [unit("Complex managers"), unit("Maintenance")]),
      unit("Finance")
    ]),
    management: unit("Board", [
      unit("Chief executive", [unit("Chief financial officer"), unit("Head of sales")])
    ])
  }
}
