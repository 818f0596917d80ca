/** Seeds the entries of the content models, in English with Georgian beside it, and a dozen files of text. */
import type { Entry, File, Model } from "./entities.js"
import { bodyOf } from "./news.js"
import type { Random } from "./random.js"
import type { Pictures } from "./seed-files.js"
import * as Words from "./vocabulary.js"

export interface Content {
  readonly entries: ReadonlyArray<Entry>
  readonly files: ReadonlyArray<File>
  readonly bytes: Map<string, Uint8Array>
}

type Values = Readonly<Record<string, unknown>>
type Text = { readonly values: Values; readonly ka: Values }

const categories = ["company", "construction", "neighbourhood", "finance"] as const
const categoriesInGeorgian = {
  company: "კომპანია",
  construction: "მშენებლობა",
  neighbourhood: "უბანი",
  finance: "ფინანსები"
} as const

const covers = [
  "facade-garden.svg",
  "facade-terrace.svg",
  "balcony.svg",
  "facade-court.svg",
  "facade-park.svg"
] as const

const news = (random: Random, index: number, { idOf }: Pictures): Text => {
  const category = random.pick(categories)
  const district = random.pick(Words.districts)
  const title = random.pick([
    `Block ${random.pick(["A", "B", "C", "D"])} in ${district} is finished`,
    `New playground in ${district}`,
    `Works on the heating in ${district}`,
    `Our report on ${district}`,
    `Lower rates for flats in ${district}`
  ])
  const body = bodyOf(category, index)
  const cover = index % 3 === 2 ? null : idOf(covers[index % covers.length] ?? "")
  return {
    values: {
      title,
      summary: `What changes for those who live in ${district}.`,
      category,
      views: random.int(0, 5_000),
      featured: random.chance(0.2),
      publishedAt: random.date(Words.began, Words.ended),
      body: body.en,
      cover
    },
    ka: {
      title: `სიახლე: ${district}`,
      summary: `რა იცვლება ${district}-ში.`,
      category: categoriesInGeorgian[category],
      // Some wait for their translation.
      ...(index % 5 === 4 ? {} : { body: body.ka })
    }
  }
}

const questions = [
  ["How do I pay?", "By card, by transfer or by a link that we send.", "payments", "როგორ გადავიხადო?"],
  [
    "When do I get the keys?",
    "On the day of the handover, at the site office.",
    "handover",
    "როდის მივიღებ გასაღებს?"
  ],
  ["Whom do I call at night?", "The complex manager, at any hour.", "service", "ვის დავურეკო ღამით?"],
  [
    "May I change the plan?",
    "Until the walls are up. Ask for a meeting.",
    "construction",
    "შემიძლია გეგმის შეცვლა?"
  ],
  ["Is there parking?", "Two places for each three flats.", "service", "არის პარკინგი?"],
  ["Can I sell before the handover?", "Yes, with our consent.", "contracts", "შემიძლია გაყიდვა?"]
] as const

const faq = (index: number): Text => {
  const [question, answer, section, ka] = questions[index % questions.length] ?? questions[0]
  return { values: { question, answer, section }, ka: { question: ka } }
}

const building = (random: Random, index: number): Text => {
  const district = Words.districts[index % Words.districts.length] ?? "Vake"
  return {
    values: {
      name: `${district} ${random.pick(["Garden", "Terrace", "Court", "Park"])}`,
      district,
      floors: random.int(5, 24),
      finished: random.chance(0.5),
      handover: random.date(Words.began, Words.ended)
    },
    ka: { name: `${district} (კა)` }
  }
}

const bannerPictures = ["autumn-offer.svg", "show-flat.svg"] as const

const banner = (random: Random, index: number, { idOf }: Pictures): Text => ({
  values: {
    title: random.pick(["Autumn offer", "Visit the show flat", "Pay in twelve parts"]),
    // One has no picture yet.
    image: index === 3 ? null : idOf(bannerPictures[index % bannerPictures.length] ?? ""),
    active: random.chance(0.6)
  },
  ka: { title: "შეთავაზება" }
})

const counts: Readonly<Record<string, number>> = { news: 60, faq: 6, buildings: 10, banners: 4 }

const valuesOf = (random: Random, apiId: string, index: number, pictures: Pictures): Text => {
  switch (apiId) {
    case "news":
      return news(random, index, pictures)
    case "faq":
      return faq(index)
    case "buildings":
      return building(random, index)
    default:
      return banner(random, index, pictures)
  }
}

const files = [
  ["price-list.csv", "text/csv", "type,from,to\napartment,45000,320000\noffice,60000,400000\n"],
  ["house-rules.txt", "text/plain", "Quiet from ten in the evening. Bicycles have a room of their own.\n"],
  [
    "logo.svg",
    "image/svg+xml",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 8V4l4-4 4 4v4z"/></svg>\n'
  ],
  ["contract.md", "text/markdown", "# Contract\n\nBetween Rustaveli Homes and the buyer.\n"]
] as const

/** What is written and not shown yet. */
const draftsOf = (random: Random, models: ReadonlyArray<Model>, pictures: Pictures): ReadonlyArray<Entry> => {
  const model = models.find(({ apiId }) => apiId === "news")
  if (model === undefined) return []
  return Array.from({ length: 3 }, (_, index): Entry => {
    const { values } = news(random, index, pictures)
    const createdAt = random.date(Words.began, Words.ended)
    return {
      ...values,
      _id: random.id(),
      modelId: model._id,
      status: "draft",
      translations: {},
      createdAt,
      updatedAt: createdAt
    }
  })
}

export const seedContent = (
  random: Random,
  models: ReadonlyArray<Model>,
  pictures: Pictures,
  forDrafts: Random
): Content => {
  const entries = models.flatMap(({ _id, apiId }) =>
    Array.from({ length: counts[apiId] ?? 0 }, (_, index): Entry => {
      const { ka, values } = valuesOf(random, apiId, index, pictures)
      const createdAt = random.date(Words.began, Words.ended)
      return {
        ...values,
        _id: random.id(),
        modelId: _id,
        status: "published",
        translations: { ka },
        createdAt,
        updatedAt: createdAt
      }
    })
  )
  const bytes = new Map<string, Uint8Array>(pictures.bytes)
  const encoder = new TextEncoder()
  const stored = Array.from({ length: 12 }, (_, index): File => {
    const [name, type, text] = files[index % files.length] ?? files[0]
    const content = encoder.encode(text)
    const createdAt = random.date(Words.began, Words.ended)
    const _id = random.id()
    bytes.set(_id, content)
    return {
      _id,
      name: index < files.length ? name : `${Math.floor(index / files.length)}-${name}`,
      type,
      size: content.byteLength,
      url: `/cms/file/${_id}/download`,
      isPrivate: false,
      userId: null,
      createdAt,
      updatedAt: createdAt
    }
  })
  return {
    entries: [...entries, ...draftsOf(forDrafts, models, pictures)],
    files: [...stored, ...pictures.files],
    bytes
  }
}
