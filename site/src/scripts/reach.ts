/** What a keyboard and a screen reader reach beside links: each piece of code and each table that scrolls, by a name. */
const update = (): void => {
  for (const [index, part] of document
    .querySelectorAll<HTMLElement>(".sl-markdown-content :is(pre, table)")
    .entries()) {
    // Code becomes a region by Starlight's own script, which gives it no name.
    if (part.role === "region") part.ariaLabel = `Code ${index + 1}`
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0
    else if (part.localName === "table") part.removeAttribute("tabindex")
  }
}
update()
new ResizeObserver(update).observe(document.body)
new MutationObserver(update).observe(document.body, { attributeFilter: ["role"], subtree: true })

// The search's button is called by what it shows, its keys included.
for (const button of document.querySelectorAll("[data-open-modal]"))
  button.ariaLabel = button.textContent?.replaceAll(/\s+/g, " ").trim() || button.ariaLabel
