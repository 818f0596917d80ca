/**
 * What a person can see and reach of a page, whatever its width, asked of the page itself: it is hit as a finger would hit
 * it. Each answer is a list of complaints, one a place.
 */
import type { Page } from "playwright-core"

/**
 * Controls that cannot be pressed even after scrolling to them, because they lie outside the window or under something
 * else; and, if `size` is given, those that a finger misses: what is hit around the middle must be `size` pixels wide and
 * high. Links within prose may be smaller.
 */
export const unreachable = (page: Page, size = 0): Promise<ReadonlyArray<string>> =>
  page.evaluate((wanted) => {
    const controls = "a[href], button, input, select, textarea, summary, [role=option], [role=tab]"
    const layers = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox], aside"
    const isInProse = (element: Element): boolean =>
      getComputedStyle(element).display === "inline" &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()
      )
    /** For screen readers alone, or within what is. */
    const isClipped = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).clipPath !== "none" || isClipped(element.parentElement))
    const complaints: Array<string> = []
    const places = [...document.querySelectorAll("*")].map((element) => [element, element.scrollTop] as const)
    for (const element of document.querySelectorAll<HTMLElement>(controls)) {
      if (element.matches(":disabled, [aria-hidden=true] *, [inert] *, [href='#content']")) continue
      // What is for screen readers alone has something beside it that is pressed.
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      if (isClipped(element)) continue
      const labels = [...((element as HTMLInputElement).labels ?? [])]
      const owns = (x: number, y: number): boolean => {
        const hit = document.elementFromPoint(x, y)
        return hit !== null && [element, ...labels].some((part) => part.contains(hit))
      }
      const target = labels.find((label) => label.contains(element)) ?? element
      target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" })
      const box = target.getClientRects()[0]
      if (box === undefined) continue
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const name = `${element.localName} “${element.ariaLabel || labels[0]?.textContent || element.textContent}”`
      const over = document.elementFromPoint(x, y)
      // A layer that is open lies over the page on purpose.
      if (over?.closest(layers) && !over.closest(layers)?.contains(element)) continue
      if (!owns(x, y)) complaints.push(`${name}: under ${over?.outerHTML.slice(0, 80)}`)
      else if (!isInProse(element)) {
        const reach = (dx: number, dy: number): number => {
          let steps = 0
          while (steps < wanted && owns(x + dx * (steps + 1), y + dy * (steps + 1))) steps++
          return steps
        }
        const [width, height] = [1 + reach(-1, 0) + reach(1, 0), 1 + reach(0, -1) + reach(0, 1)]
        if (Math.min(width, height) < wanted) complaints.push(`${name}: ${width} × ${height} pixels`)
      }
    }
    for (const [element, top] of places) element.scrollTop = top
    return complaints
  }, size)

/** Texts of which a part is cut off without a way to scroll to it; and how much wider than its window the page is. */
export const cut = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const complaints: Array<string> = []
    const wider = document.documentElement.scrollWidth - window.innerWidth
    if (wider > 0) complaints.push(`the page is ${wider} pixels wider than its window`)
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const parent = text.parentElement
      if (!text.textContent?.trim() || !parent?.checkVisibility({ visibilityProperty: true })) continue
      // Behind an open layer, which does not let the page scroll.
      if (parent.closest("[inert]") !== null) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const box = range.getBoundingClientRect()
      for (let frame: Element | null = parent; frame !== null; frame = frame.parentElement) {
        const { clipPath, display, overflowX, overflowY, position, textOverflow } = getComputedStyle(frame)
        const edge = frame.getBoundingClientRect()
        // For screen readers alone; or shortened by an ellipsis, which only a block has.
        if (clipPath !== "none" || (textOverflow === "ellipsis" && !/flex|grid/.test(display))) break
        const isOut = {
          x: box.left < edge.left - 1 || box.right > edge.right + 1,
          y: box.top < edge.top - 1 || box.bottom > edge.bottom + 1
        }
        if ((isOut.x && overflowX === "hidden") || (isOut.y && overflowY === "hidden")) {
          complaints.push(
            `${parent.localName} “${text.textContent}”: cut by ${frame.localName}.${frame.className}`
          )
          break
        }
        if (/auto|scroll/.test(overflowX + overflowY) || position === "fixed") break
      }
    }
    return complaints
  })

/** Cells that hold nothing but a number, or an amount with its unit, and do not end where those above and below them end. */
export const unaligned = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const number =
      /^[-−]?([A-Z]{3}\s|[A-Z]{0,2}\p{Sc}\s?)?[-−]?\d[\d.,\s]*(%|\p{Sc}|\s?[A-Z]{3}|\s?[kMG]?B)?$/u
    return (
      [...document.querySelectorAll("td")]
        .filter((cell) => cell.closest(".sr-only") === null)
        // A day of the calendar is no amount.
        .filter(
          (cell) =>
            cell.checkVisibility() &&
            cell.querySelector("time") === null &&
            number.test(cell.innerText.trim())
        )
        .filter((cell) => !/^(right|end)$/.test(getComputedStyle(cell).textAlign))
        .map((cell) => `${cell.closest("table")?.ariaLabel ?? "table"}: ${cell.innerText}`)
    )
  })

/** What says something by its colour, without a word or a sign; and charts whose figures stand in no table beside them. */
export const wordless = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const toned = [...document.querySelectorAll("[class*=text-tone], [class*=tinted]")].filter(
      (element) =>
        element.checkVisibility() &&
        !element.textContent?.trim() &&
        !element.matches("svg") &&
        element.querySelector("svg") === null
    )
    const charts = [...document.querySelectorAll("svg[role=img]")].filter(
      (chart) => !/\d/.test(chart.closest("figure")?.querySelector("table")?.textContent ?? "")
    )
    return [...toned, ...charts].map((element) => `by colour alone: ${element.outerHTML.slice(0, 80)}`)
  })
