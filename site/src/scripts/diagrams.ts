/** Draws the diagrams of a page in the colours of its theme, anew when that changes. Without it their source is shown. */
const diagrams = [...document.querySelectorAll<HTMLElement>("pre.mermaid")].map((element) => ({
  element,
  source: element.textContent ?? ""
}))

const draw = async (): Promise<void> => {
  // The widths of texts are measured.
  await document.fonts.load('1rem "Inter Variable"')
  const from = `${import.meta.env.BASE_URL.replace(/\/$/, "")}/mermaid/mermaid.esm.min.mjs`
  const { default: mermaid }: typeof import("mermaid") = await import(/* @vite-ignore */ from)
  const isDark = document.documentElement.dataset.theme === "dark"
  mermaid.initialize({
    startOnLoad: false,
    theme: isDark ? "dark" : "neutral",
    fontFamily: "inherit",
    // The dark theme's own is too near to the colour of the text.
    themeVariables: isDark ? { edgeLabelBackground: "#17181c" } : {}
  })
  for (const { element, source } of diagrams) {
    element.textContent = source
    delete element.dataset.processed
  }
  await mermaid.run({ nodes: diagrams.map(({ element }) => element) })
}

if (diagrams.length > 0) {
  await draw()
  new MutationObserver(() => void draw()).observe(document.documentElement, {
    attributeFilter: ["data-theme"]
  })
}
