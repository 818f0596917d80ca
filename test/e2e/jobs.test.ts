/** The view of a real fleet's jobs: what runs is seen moving and steered, what failed is tried again or noted as done. */

import { endless, letters, mended, nobodys, open, rows, waiting } from "@quartet/support/crew.js"
import { patient } from "@quartet/support/patience.js"
import { Effect } from "effect"
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
  // Nothing was lost with a row yet: the heading above the items has not taken the focus.
  const hasFocus = (node: Element) => node === document.activeElement
  const heading = details.getByRole("heading", { name: "Items not done" })
  expect(await heading.evaluate(hasFocus)).toBe(false)
  expect(await failed.innerText()).toContain("a title is missing")
  expect(await failed.innerText()).toContain('"title": "Row 3"')
  expect(await details.innerText()).not.toContain("hush")
  mended.add(3)
  await failed.getByRole("button", { name: "Retry item 3" }).click()
  await failed.getByText("1 item failed").waitFor()
  await expect.poll(() => failed.getByText("Item 3", { exact: true }).count()).toBe(0)
  // What had the focus is gone with its row.
  await expect.poll(() => heading.evaluate(hasFocus)).toBe(true)
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

it("sends unknown items again, one, those that are ticked, and all, each time after a question that says that they may be done twice", async ({
  arrive,
  crew
}) => {
  const { id } = await crew.start(letters, "spring")
  const { page } = await arrive(`/jobs/${id}`)
  const details = page.getByRole("region", { name: "Details" })
  const unknown = details.getByRole("region", { name: "Unknown items" }).first()
  await unknown.getByText("6 items with a lost answer").waitFor()
  await unknown.getByText("Item 5", { exact: true }).waitFor()
  const asks = (name: string) => page.getByRole("alertdialog", { name })
  const agree = page.getByRole("alertdialog").getByRole("button", { name: "Send again" })
  const question = asks("Send item 0 again?")
  // By the keyboard alone: the question begins on the button that does nothing.
  await unknown.getByRole("button", { name: "Send item 0 again…" }).focus()
  await page.keyboard.press("Enter")
  await question.waitFor()
  const description = await question.getAttribute("aria-describedby")
  expect(await page.locator(`[id="${description}"]`).innerText()).toContain("may be done twice")
  await page.keyboard.press("Enter")
  await question.waitFor({ state: "detached" })
  await page.keyboard.press("Enter")
  await question.waitFor()
  await page.keyboard.press("Tab")
  expect(await agree.evaluate((node) => node === document.activeElement)).toBe(true)
  await page.keyboard.press("Enter")
  await unknown.getByText("5 items with a lost answer").waitFor()
  await expect.poll(() => unknown.getByText("Item 0", { exact: true }).count()).toBe(0)
  // Those that are ticked, by the space bar.
  for (const item of [2, 4]) {
    await unknown.getByRole("checkbox", { name: `Item ${item}` }).focus()
    await page.keyboard.press("Space")
  }
  await expect.poll(() => unknown.getByRole("status").innerText()).toBe("2 ticked")
  await unknown.getByRole("button", { name: "Send ticked again…" }).click()
  await asks("Send the 2 ticked items again?").waitFor()
  await agree.click()
  await unknown.getByText("3 items with a lost answer").waitFor()
  await expect.poll(() => unknown.getByRole("checkbox").count()).toBe(3)
  await unknown.getByRole("button", { name: "Send all again…" }).click()
  await asks("Send all 3 items again?").waitFor()
  await agree.click()
  await details.getByText("None failed.").waitFor()
  await expect.poll(() => details.getByRole("progressbar").getAttribute("aria-valuetext")).toBe("6 of 6 done")
})

it("notes ticked and all unknown items as done, and removes a run after a question", async ({
  arrive,
  crew
}) => {
  const { id } = await crew.start(letters, "autumn")
  const { page } = await arrive(`/jobs/${id}`)
  const details = page.getByRole("region", { name: "Details" })
  const unknown = details.getByRole("region", { name: "Unknown items" }).first()
  const asks = (name: string) => page.getByRole("alertdialog", { name })
  await unknown.getByRole("checkbox", { name: "Item 3" }).check()
  await unknown.getByRole("button", { name: "Mark ticked as done…" }).click()
  await asks("Mark the ticked item as done?").getByRole("button", { name: "Mark as done" }).click()
  await unknown.getByText("5 items with a lost answer").waitFor()
  await unknown.getByRole("button", { name: "Mark all as done…" }).click()
  await asks("Mark all 5 items as done?").getByRole("button", { name: "Mark as done" }).click()
  await details.getByText("None failed.").waitFor()
  const detail = page.getByRole("main")
  await detail.getByRole("button", { name: "Remove…" }).click()
  expect(await asks("Remove letters?").innerText()).toContain("does everything once more")
  await asks("Remove letters?").getByRole("button", { name: "Remove run" }).click()
  // The list opens another one by itself.
  await expect.poll(() => page.url()).not.toContain(id)
  await expect.poll(() => page.getByRole("link", { name: /^letters autumn/ }).count()).toBe(0)
})

it("says that no runner has a run's job, and what a run waits for, since when, until when", async ({
  arrive,
  crew
}) => {
  await crew.start(nobodys, "anything")
  const run = await crew.start(waiting, "platform")
  const { page } = await arrive(`/jobs/${run.id}`)
  const details = page.getByRole("region", { name: "Details" })
  const outage = /503 since \d\d:\d\d UTC, (next try in \d+ s|trying now)/
  // Above the items, before who is at work on what.
  await expect.poll(async () => (await details.innerText()).split("Items not done")[0]).toMatch(outage)
  const row = (name: RegExp) => page.getByRole("link", { name })
  await row(/^waiting platform/)
    .getByText(outage)
    .waitFor()
  await Effect.runPromise(run.cancel)
  await expect
    .poll(() =>
      row(/^waiting platform/)
        .getByText(outage)
        .count()
    )
    .toBe(0)
  // After half a minute.
  const why = "no runner has the job nobodys: start one that has it"
  await row(/^nobodys anything/)
    .getByText(why)
    .waitFor({ timeout: patient(60_000) })
  await row(/^nobodys anything/).click()
  await details.getByText(why).waitFor()
  // As wide as a telephone it is read to its end.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(new URL("/jobs", page.url()).href)
  const words = row(/^nobodys anything/).getByText(why)
  await words.waitFor()
  expect(
    await words.evaluate((node) => [
      node.scrollWidth <= node.clientWidth,
      node.scrollHeight <= node.clientHeight
    ])
  ).toEqual([true, true])
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
