// A chart of horizontal bars as SVG: text for readers of any width, colours for light and dark, values for screen readers.

/** The longest bar. */
const barWidth = 232
/** A bold letter at 14 pixels, in a wide font. */
const letterWidth = 8.1
const rowHeight = 25
/** Room for a value behind the longest bar. */
const valueWidth = 108

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const style = `
    text { font: 14px system-ui, sans-serif; fill: #1f2328 }
    .head { font-weight: 600 }
    .note { font-size: 12px; fill: #59636e }
    .own { font-weight: 600 }
    .bar { fill: #8c959f }
    .bar.own { fill: #0969da }
    .second { opacity: 0.45 }
    .mark { stroke: #afb8c1; stroke-dasharray: 3 3 }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .note { fill: #9198a1 }
      .bar { fill: #6e7681 }
      .bar.own { fill: #4493f8 }
      .mark { stroke: #3d444d }
    }
  `

/** Rows of one panel: `values` are drawn as one bar, or as two of half the height; `shown` is their text. */
const panel = ({ head, mark, rows }, labelWidth, top) => {
  const longest = Math.max(...rows.flatMap(({ values }) => values))
  const scale = barWidth / longest
  const drawn = rows.map(({ isOwn, label, shown, values }, at) => {
    const y = top + 32 + at * rowHeight
    const own = isOwn ? " own" : ""
    const height = 15 / values.length
    const bars = values.map((value, place) => {
      const size = `x="${labelWidth}" y="${y + place * height}" width="${(value * scale).toFixed(1)}" height="${height}"`
      return `<rect class="bar${own}${place === 1 ? " second" : ""}" ${size}/>`
    })
    const end = labelWidth + Math.max(...values) * scale + 6
    return [
      `<text class="${own.trim()}" x="${labelWidth - 8}" y="${y + 12}" text-anchor="end">${escaped(label)}</text>`,
      ...bars,
      `<text class="${own.trim()}" x="${end.toFixed(1)}" y="${y + 12}">${escaped(shown)}</text>`
    ].join("")
  })
  const x = (labelWidth + (mark ?? 0) * scale).toFixed(1)
  const bottom = top + 28 + rows.length * rowHeight
  const line =
    mark === undefined ? "" : `<line class="mark" x1="${x}" x2="${x}" y1="${top + 28}" y2="${bottom}"/>`
  return {
    text: [`<text class="head" x="0" y="${top + 16}">${escaped(head)}</text>`, ...drawn, line].join("\n  "),
    bottom
  }
}

/** A chart of some panels, one below the other, with notes at its end. */
export const chart = ({ notes, panels, title }) => {
  const parts = []
  const letters = Math.max(...panels.flatMap(({ rows }) => rows.map(({ label }) => label.length)))
  const labelWidth = Math.round(letters * letterWidth) + 8
  const width = labelWidth + barWidth + valueWidth
  let top = 0
  for (const each of panels) {
    const { bottom, text } = panel(each, labelWidth, top)
    parts.push(text)
    top = bottom + 16
  }
  for (const note of notes) {
    parts.push(`<text class="note" x="0" y="${top + 10}">${escaped(note)}</text>`)
    top += 18
  }
  const read = panels.map(
    ({ head, rows }) => `${head}: ${rows.map(({ label, shown }) => `${label} ${shown}`).join(", ")}.`
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top + 4}" width="${width}" role="img" aria-labelledby="title desc">
  <title id="title">${escaped(title)}</title>
  <desc id="desc">${escaped([...read, ...notes].join(" "))}</desc>
  <style>${style}</style>
  ${parts.join("\n  ")}
</svg>
`
}
