// The site's generator. Its pages are made by make.mjs, which stands beside it and is what `npm run site` runs.
import { readFileSync } from "node:fs"
import starlight from "@astrojs/starlight"
import { defineConfig, passthroughImageService } from "astro/config"

const guides = JSON.parse(readFileSync(new URL(".cache/guides.json", import.meta.url), "utf8"))

/** @param {string} wanted */
const items = (wanted) =>
  guides.filter(({ group }) => group === wanted).map(({ id, title }) => ({ label: title, slug: id }))

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
        { label: "Project", items: items("Project"), collapsed: true }
      ]
    })
  ]
})
