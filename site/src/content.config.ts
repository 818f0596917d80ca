/** The Markdown pages: what make.mjs wrote. */

import { defineCollection } from "astro:content"
import { docsSchema } from "@astrojs/starlight/schema"
import { glob } from "astro/loaders"

const loader = glob({
  base: ".cache/content",
  pattern: "**/*.md",
  generateId: ({ entry }) => entry.replace(/\.md$/, "")
})

export const collections = { docs: defineCollection({ loader, schema: docsSchema() }) }
