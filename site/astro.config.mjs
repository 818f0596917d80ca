// The site's generator. Its pages are made by make.mjs, which stands beside it and is what `npm run site` runs.
import { readFileSync } from "node:fs"
import starlight from "@astrojs/starlight"
import { defineConfig, passthroughImageService } from "astro/config"

const guides = JSON.parse(readFileSync(new URL(".cache/guides.json", import.meta.url), "utf8"))

/**
 * @param {string} wanted
 * @param {(id: string) => boolean} [isShown]
 */
const items = (wanted, isShown = () => true) =>
  guides
    .filter(({ group, id }) => group === wanted && isShown(id))
    .map(({ id, title }) => ({ label: title, slug: id }))

/**
 * The decisions are many, so they have a group of their own.
 * @param {string} id
 */
const isDecision = (id) => id.startsWith("decisions")

/** A cell at the head of a table that says nothing is no heading. */
const emptyHeadings = () => (tree) => {
  for (const node of tree.children ?? []) {
    if (node.tagName === "th" && node.children.length === 0) node.tagName = "td"
    emptyHeadings()(node)
  }
}

export default defineConfig({
  base: process.env.SITE_BASE ?? "/",
  trailingSlash: "always",
  publicDir: ".cache/public",
  image: { service: passthroughImageService() },
  markdown: { smartypants: false, rehypePlugins: [emptyHeadings] },
  integrations: [
    starlight({
      title: "Quartet",
      favicon: "/favicon.svg",
      credits: false,
      pagination: false,
      customCss: ["@fontsource-variable/inter", "./src/styles/site.css"],
      components: { Head: "./src/components/Head.astro" },
      routeMiddleware: "./src/route.ts",
      markdown: { processedDirs: [".cache/content"] },
      expressiveCode: { styleOverrides: { borderRadius: "0.5rem" } },
      sidebar: [
        { label: "Start", items: items("Start") },
        { label: "Guides", items: items("Guides") },
        {
          label: "Reference",
          items: [
            { label: "All calls", link: "/calls/" },
            { label: "Modules", slug: "api" },
            ...items("Reference")
          ]
        },
        {
          label: "Project",
          items: [
            ...items("Project", (id) => !isDecision(id)),
            { label: "Decisions", items: items("Project", isDecision), collapsed: true }
          ],
          collapsed: true
        }
      ]
    })
  ]
})
