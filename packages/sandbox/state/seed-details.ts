/**
 * What people write into requests, and what sellers say of items: it follows from the rows and their numbers alone, so
 * that it shifts no seeded name, price or id.
 */
import type { Item, Request } from "./entities.js"
import * as Georgian from "./georgian.js"
import type { Pictures } from "./seed-files.js"

type Fields = Readonly<Record<string, unknown>>

/** The text of a request, by its title. One of the titles says all. */
const descriptions: Readonly<Record<string, string>> = {
  "The lift has stopped again":
    "It stopped between the third and the fourth floor this morning. Two people waited inside for twenty minutes until somebody came. This is the third time this month, and my mother cannot take the stairs.",
  "Water drips in the bathroom":
    "It comes from the ceiling over the bath, mostly in the evening. The stain has grown since last week. I am at home on weekdays after six.",
  "The entrance light is broken": "It has been dark over the entrance for three days.",
  "I would like to buy the flat next door":
    "I heard that the neighbours are moving out in the autumn. We would like to join the two flats, if the wall between them may be opened. What would it cost, and who decides about the wall?",
  "Looking for two rooms in Vake":
    "Two rooms with a balcony, not on the ground floor. We have a mortgage offer and could sign within a month.",
  "Looking for an office for six people":
    "We need a meeting room, and parking for two cars. From January, for at least two years.",
  "A flat to rent from October": "One or two rooms, furnished, close to a metro station.",
  "I want to sell my parking place": "Place 14 on the lower level. I do not have a car any more.",
  "Please value my apartment":
    "Eighty square metres, renovated in 2021. I am thinking of selling, and would like to know the price before I decide. You can see it any day after five.",
  "My flat is free from next month":
    "The tenants leave at the end of the month. It is furnished and has a washing machine; pets are welcome.",
  "I need the invoice for July":
    "It never arrived by post. Please send it by e-mail; my accountant needs it by Friday.",
  "Please send last year's invoices": "All twelve, as one PDF if possible.",
  "May I visit the construction site?":
    "We have bought a flat in block C and would like to see how far it is. There would be two of us and a child.",
  "A visit to the show flat on Saturday": "Before noon, if that is possible.",
  "My name is misspelled in the contract":
    "On the first page and under the signature, one letter is wrong. The name in my passport is the right one.",
  "Two weeks in August": "From the 4th to the 17th. A colleague takes my calls.",
  "A course on fire safety": "For the eight of us at the site office, best on a Monday."
}

const more = [
  "I have written about this before, in spring, and was told that somebody would come back to me. Nobody did, so I start from the beginning: please tell me who is responsible, and by when I can expect an answer.",
  "You can reach me by telephone on weekdays between nine and six, and at any time by e-mail. If a visit is needed, the concierge has a spare key and knows about it. I attach what I have; the originals are with me."
].join("\n\n")

/** What the project asks for of a request, by its type. */
const formOf = (type: string, index: number): Fields => {
  switch (type) {
    case "MAINTENANCE":
      return { entrance: 1 + (index % 4), urgent: index % 3 === 0 }
    case "BUY":
      return { budget: 80_000 + (index % 12) * 15_000, currency: "USD", rooms: 2 + (index % 3) }
    case "RENT":
      return {
        from: "2025-10-01",
        months: 6 + (index % 4) * 6,
        budget: 600 + (index % 7) * 100,
        currency: "USD"
      }
    case "SELL":
      return { askingPrice: 12_000 + (index % 9) * 20_000, currency: "USD" }
    case "RENT_OUT":
      return { monthlyRent: 500 + (index % 8) * 75, currency: "USD", isFurnished: true }
    case "WAITING_LIST":
      return { block: "C", rooms: 1 + (index % 3) }
    case "REQUEST_INVOICE":
      return { months: index % 2 === 0 ? ["2025-07"] : ["2025-05", "2025-06", "2025-07"], format: "PDF" }
    case "VISIT":
      return { people: 1 + (index % 3), preferredTime: index % 2 === 0 ? "10:00" : "16:30" }
    case "CHANGE_FILE":
      return { page: 1, document: "Contract" }
    case "VACATION":
      return { from: "2025-08-04", to: "2025-08-17" }
    case "TRAINING":
      return { people: 8 }
    default:
      return {}
  }
}

const photos: Readonly<Record<string, ReadonlyArray<string>>> = {
  "The lift has stopped again": ["lift-door.svg"],
  "Water drips in the bathroom": ["wet-ceiling.svg", "bedroom.svg"],
  "Please value my apartment": ["living-room.svg", "kitchen.svg", "balcony.svg", "floor-plan.svg"],
  "I want to sell my parking place": ["parking.svg"],
  "My flat is free from next month": ["living-room.svg", "bedroom.svg"]
}

/** The description of a request: none for some, at length for others. */
const descriptionOf = (title: string, index: number): string | undefined => {
  const description = descriptions[title]
  if (description === undefined || index % 7 === 2) return undefined
  return index % 9 === 4 ? `${description}\n\n${more}` : description
}

/** A request with its text, its form, and its photos, which stand as addresses of files. */
export const detailedRequest =
  ({ idOf }: Pictures) =>
  (request: Request, index: number): Request => {
    const names = photos[request.title] ?? []
    const data = {
      ...request.data,
      ...formOf(request.type, index),
      ...(names.length === 0 ? {} : { pictures: names.map((name) => `/cms/file/${idOf(name)}/download`) })
    }
    const georgian = index % 8 === 5 ? Georgian.requests[request.title] : undefined
    const title = georgian?.[0] ?? request.title
    const description =
      index === 5
        ? Georgian.longRequest
        : georgian === undefined
          ? descriptionOf(request.title, index)
          : georgian[1]
    return { ...request, title, ...(description === undefined ? {} : { description }), data }
  }

const views: Readonly<Record<string, ReadonlyArray<string>>> = {
  apartment: ["living-room.svg", "kitchen.svg", "bedroom.svg", "balcony.svg", "floor-plan.svg"],
  house: ["living-room.svg", "kitchen.svg", "bedroom.svg", "floor-plan.svg"],
  office: ["living-room.svg", "floor-plan.svg"],
  parking: ["parking.svg"]
}

const facades = ["facade-garden.svg", "facade-terrace.svg", "facade-court.svg", "facade-park.svg"]

const pitches: Readonly<Record<string, ReadonlyArray<string>>> = {
  apartment: [
    "The windows face the yard, and the kitchen is a room of its own. The walls are plastered; floors and doors are yours to choose.",
    "Handed over with floors, doors and bathroom. The balcony gets the sun until evening."
  ],
  house: [
    "Two floors, a terrace and a small yard behind it. Gas, water and electricity are connected.",
    "At the end of a street without through traffic. There is room for two cars in front."
  ],
  office: [
    "Open plan with one closed room, and a lift from the parking level.",
    "On the corner, with shop windows to two sides."
  ],
  parking: [
    "Covered and numbered, with a camera at the gate.",
    "Close to the lift, wide enough for a large car."
  ],
  service: [
    "Ordered by the hour. We come within two days, and you pay when it is done.",
    "For those who live in our houses. The price holds for one visit."
  ]
}

/** An item with its description, its pictures by the ids of their files, and its stock where there is more than one of it. */
export const detailedItem =
  ({ idOf }: Pictures) =>
  (item: Item, index: number): Item => {
    const lines = pitches[item.type] ?? []
    const inside = views[item.type] ?? []
    const facade = item.type === "parking" ? [] : [facades[index % facades.length] ?? ""]
    const names = inside.length === 0 ? [] : [...facade, ...inside.slice(0, 1 + (index % inside.length))]
    const description = index % 6 === 5 ? undefined : lines[index % lines.length]
    return {
      ...item,
      ...(description === undefined ? {} : { description }),
      ...(names.length === 0 ? {} : { pictures: names.map(idOf) }),
      ...(item.type === "parking" ? { stock: item.status === "sold" ? 0 : 1 + (index % 14) } : {})
    }
  }
