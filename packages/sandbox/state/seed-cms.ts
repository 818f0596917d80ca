/** Seeds the content models: news, questions, buildings and banners. */
import type { Field, Model } from "./entities.js"
import type { Random } from "./random.js"
import { began } from "./vocabulary.js"

/** The fields that came later, whose ids are drawn apart so that those of the others stay as they were. */
const later: Readonly<Record<string, Shape[2]>> = {
  news: [
    ["body", "TEXT"],
    ["cover", "FILE"]
  ]
}

type Shape = readonly [
  apiId: string,
  name: string,
  fields: ReadonlyArray<readonly [apiId: string, type: string]>
]

const shapes: ReadonlyArray<Shape> = [
  [
    "news",
    "News",
    [
      ["title", "TEXT"],
      ["summary", "TEXT"],
      ["category", "TEXT"],
      ["views", "NUMERIC"],
      ["featured", "BOOLEAN"],
      ["publishedAt", "DATE"]
    ]
  ],
  [
    "faq",
    "Questions",
    [
      ["question", "TEXT"],
      ["answer", "TEXT"],
      ["section", "TEXT"]
    ]
  ],
  [
    "buildings",
    "Buildings",
    [
      ["name", "TEXT"],
      ["district", "TEXT"],
      ["floors", "NUMERIC"],
      ["finished", "BOOLEAN"],
      ["handover", "DATE"]
    ]
  ],
  [
    "banners",
    "Banners",
    [
      ["title", "TEXT"],
      ["image", "FILE"],
      ["active", "BOOLEAN"]
    ]
  ]
]

const titleOf = (apiId: string): string => `${apiId.charAt(0).toUpperCase()}${apiId.slice(1)}`

const fieldOf =
  (random: Random) =>
  ([apiId, type]: Shape[2][number]): Field => ({ _id: random.id(), apiId, name: titleOf(apiId), type })

export const seedCms = (random: Random, forLater: Random): ReadonlyArray<Model> =>
  shapes.map(
    ([apiId, name, fields]): Model => ({
      _id: random.id(),
      apiId,
      name,
      fields: [...fields.map(fieldOf(random)), ...(later[apiId] ?? []).map(fieldOf(forLater))],
      createdAt: began,
      updatedAt: began
    })
  )
