/** The view of a real fleet's jobs: what runs is seen moving and steered, what failed is tried again or noted as done. */

import { endless, mended, open, rows } from "@quartet/support/crew.js"
import { expect } from "vitest"
import { it as staged } from "./stage.js"

const it = staged.extend<{ readonly crew: Awaited<ReturnType<typeof open>> }>({
  crew: [
    async ({ stage }, use) => {
      const crew = await open()
      stage.show(crew.fleet)
      await use(crew)
      await crew.end()
    },
    { scope: "file" }
  ]
})

it("says how to start a job where there is no run, and shows one once it is there, without a sign-in", async ({
  arrive,
  crew
}) => {
  const { page } = await arrive("/jobs")
  await page.getByText("No runs yet").waitFor()
  await page.getByText("npx @quartet/cli job run").waitFor()
  expect(await page.title()).toBe("Jobs · Quartet console")
  await crew.start(rows, "first.csv")
  await page.getByRole("link", { name: /^rows first\.csv/ }).waitFor()
  const bar = page.getByRole("progressbar", { name: "Progress of rows first.csv" })
  await expect.poll(() => bar.getAttribute("aria-valuetext")).toBe("17 of 20 done, 2 failed, 1 unknown")
  expect(await bar.evaluate((node: HTMLProgressElement) => [node.value, node.max])).toEqual([20, 20])
})

it("pauses, resumes and, after a question, cancels a run that is seen moving", async ({ arrive, crew }) => {
  const { id } = await crew.start(endless, "forever")
  const { page } = await arrive(`/jobs/${id}`)
  await page.getByRole("heading", { level: 2, name: "endless forever" }).waitFor()
  const detail = page.getByRole("main")
  const details = page.getByRole("region", { name: "Details" })
  const progress = details.getByRole("progressbar", { name: "Progress of endless forever" })
  const done = async () =>
    Number(/([\d,]+) done/.exec((await progress.getAttribute("aria-valuetext")) ?? "")?.[1]?.replace(",", ""))
  const first = await done()
  await expect.poll(done).toBeGreaterThan(first)
  const pause = detail.getByRole("button", { name: "Pause" })
  await pause.focus()
  await page.keyboard.press("Enter")
  const resume = detail.getByRole("button", { name: "Resume" })
  await resume.waitFor()
  // The same button: the focus stays.
  await expect.poll(() => resume.evaluate((node) => node === document.activeElement)).toBe(true)
  await expect.poll(() => details.getByRole("status").first().innerText()).toContain("paused")
  await page.getByText("Paused", { exact: true }).last().waitFor()
  await resume.click()
  await pause.waitFor()
  await detail.getByRole("button", { name: "Cancel…" }).click()
  const question = page.getByRole("alertdialog", { name: "Cancel endless?" })
  await question.getByRole("button", { name: "Keep running" }).click()
  await detail.getByRole("button", { name: "Cancel…" }).click()
  await question.getByRole("button", { name: "Cancel run" }).click()
  await expect.poll(() => details.getByRole("status").first().innerText()).toContain("cancelled")
})

it("lists what failed with its input masked, tries one and all again, and notes one as done", async ({
  arrive,
  crew
}) => {
  const { id } = await crew.start(rows, "second.csv")
  const { page } = await arrive(`/jobs/${id}`)
  await page.getByRole("heading", { level: 2, name: "rows second.csv" }).waitFor()
  const details = page.getByRole("region", { name: "Details" })
  const failed = details.getByRole("region", { name: "Failed items" }).first()
  await failed.getByText("2 items failed").waitFor()
  // The items are asked for once it is known how many there are.
  await failed.getByText("Item 11", { exact: true }).waitFor()
  expect(await failed.innerText()).toContain("a title is missing")
  expect(await failed.innerText()).toContain('"title": "Row 3"')
  expect(await details.innerText()).not.toContain("hush")
  mended.add(3)
  await failed.getByRole("button", { name: "Retry item 3" }).click()
  await failed.getByText("1 item failed").waitFor()
  await expect.poll(() => failed.getByText("Item 3", { exact: true }).count()).toBe(0)
  // What had the focus is gone: it is still beside the list.
  await expect.poll(() => details.evaluate((region) => region.contains(document.activeElement))).toBe(true)
  mended.add(11)
  await failed.getByRole("button", { name: "Retry all" }).click()
  await failed.waitFor({ state: "detached" })
  const unknown = details.getByRole("region", { name: "Unknown items" }).first()
  await unknown.getByRole("button", { name: "Mark item 7 as done" }).click()
  const question = page.getByRole("alertdialog", { name: "Mark item 7 as done?" })
  await question.getByRole("button", { name: "Mark as done" }).click()
  await details.getByText("None failed.").waitFor()
  await expect
    .poll(() => details.getByRole("progressbar").getAttribute("aria-valuetext"))
    .toBe("20 of 20 done")
})

it("says so where the fleet is out of reach, and shows it again by itself", async ({
  arrive,
  crew,
  stage
}) => {
  await crew.start(rows, "first.csv")
  const { page } = await arrive("/jobs", /Failed to load resource|ERR_CONNECTION_REFUSED/)
  await page
    .getByRole("link", { name: /^rows / })
    .first()
    .waitFor()
  await stage.outage(() =>
    page
      .getByText(/: The jobs cannot be reached/)
      .first()
      .waitFor()
  )
  await expect.poll(() => page.getByText(/: The jobs cannot be reached/).count()).toBe(0)
})

it("says how to serve jobs where a server has none", async ({ arrive, stage }) => {
  const { page } = await arrive("/settings")
  await page.route("**/fleet/**", async (route) =>
    route.fulfill({ response: await route.fetch({ url: stage.url }) })
  )
  await page.getByRole("link", { name: "Jobs", exact: true }).click()
  await page.getByText("No jobs are served here").waitFor()
  await page.getByText("quartet job serve").waitFor()
})
