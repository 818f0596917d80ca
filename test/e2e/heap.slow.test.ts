/** What a long day at the console leaves behind in the memory of its page. */

import { patient } from "@quartet/support/patience.js"
import { isWhole } from "@quartet/support/scale.js"
import { expect } from "vitest"
import { go, it } from "./stage.js"

const navigations = isWhole ? 500 : 300

it(`keeps a flat heap and no nodes that are in no page, over ${navigations} navigations`, {
  timeout: patient(600_000)
}, async ({ enter }) => {
  const guest = await enter()
  const { context, page } = guest
  const places = await page
    .getByRole("navigation", { name: "Places" })
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname))
  expect(places).toHaveLength(9)
  const paths = [...places, "/developers", "/data/profiles", "/explorer"]
  const device = await context.newCDPSession(page)
  const samples: Array<{ readonly heap: number; readonly nodes: number }> = []
  for (let round = 0; round * paths.length < navigations; round++) {
    for (const path of paths) await go(guest, path)
    // The wire keeps a bounded number of calls, which fills for longer than this takes.
    await page.keyboard.press("w")
    const clear = page.getByRole("button", { name: "Clear" })
    if (await clear.isEnabled()) await clear.click()
    await page.keyboard.press("w")
    await device.send("HeapProfiler.collectGarbage")
    const { usedSize } = await device.send("Runtime.getHeapUsage")
    const { nodes } = await device.send("Memory.getDOMCounters")
    samples.push({ heap: usedSize, nodes })
  }
  // The first third loads what the others find in caches; the least of a third is what nothing under way adds to.
  const third = Math.floor(samples.length / 3)
  const least = (from: number, of: "heap" | "nodes"): number =>
    Math.min(...samples.slice(from, from + third).map((sample) => sample[of]))
  for (const of of ["heap", "nodes"] as const) {
    const growth = least(samples.length - third, of) / least(third, of)
    console.info(
      `The ${of} of the last third of ${navigations} navigations: ${growth.toFixed(3)} of the third before.`
    )
    expect(growth).toBeLessThan(1.05)
  }
})
