/** Seeds the content models: news, questions, buildings and banners. */
import type { Field, Model } from "./entities.js"
import type { Random } from "./random.js"
import { began } from "./vocabulary.js"

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

export const seedCms = (random: Random): ReadonlyArray<Model> =>
  shapes.map(
    ([apiId, name, fields]): Model => ({
      _id: random.id(),
      apiId,
      name,
      fields: fields.map(
        ([field, type]): Field => ({ _id: random.id(), apiId: field, name: titleOf(field), type })
      ),
      createdAt: began,
      updatedAt: began
    })
  )
