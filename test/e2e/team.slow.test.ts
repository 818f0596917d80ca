/** The team, as those work with it who run it: administrators, what roles let them do, and who is away. */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { axe, violations } from "./axe.js"
import { go, it, settle, signIn } from "./stage.js"

const administrators = (page: Page) => page.getByRole("region", { name: "Team", exact: true }).first()
const title = (page: Page) => page.getByRole("heading", { level: 2 }).first()
const cell = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

/** What has the focus: its name, or its text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? ""
  })

const level = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("radio", { name: new RegExp(`^${name}`) }).check()
}

it("says of each administrator who they are and what they may do, place by place", async ({ enter }) => {
  const { page } = await enter("/team")
  await settle(page)
  await administrators(page)
    .getByRole("link", { name: /Tamar Chikovani.*You/ })
    .waitFor()
  await page.keyboard.press("j")
  await page.keyboard.press("j")
  await expect.poll(() => title(page).innerText()).toBe("Luka Dolidze")
  const may = page.getByRole("region", { name: "What they can do" })
  await expect.poll(() => may.innerText()).toMatch(/Requests\s+Change\s+Chat\s+Change\s+Customers\s+Read/)
  const absences = page.getByRole("region", { name: /^(Away now or soon|Was away)$/ })
  await absences.getByRole("link").first().waitFor()
  await page.getByRole("link", { name: "Support", exact: true }).click()
  await page.getByRole("region", { name: "Role Support" }).getByRole("button", { name: "2 people" }).click()
  await page
    .getByRole("dialog", { name: "Who has the role Support" })
    .getByRole("link", { name: "Irakli Lomidze" })
    .waitFor()
})

it("adds an administrator by keys alone, with a first password that is made", async ({ enter, stage }) => {
  const { admins, passwords } = stage.sandbox.platform.state
  const { page } = await enter("/team", /409/)
  await settle(page)
  await page.keyboard.press("a")
  await page.getByRole("heading", { name: "Add administrator" }).waitFor()
  await page.keyboard.type("viewer@quartet.test")
  await page.keyboard.press("Control+s")
  await page.getByText("Someone else has this email address.").waitFor()
  await page.getByLabel("Email").fill("giorgi@quartet.test")
  await page.keyboard.press("Tab")
  await page.keyboard.type("Giorgi Kobakhidze")
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  await page.getByRole("option", { name: "Viewer" }).waitFor()
  await page.keyboard.press("v")
  await page.keyboard.press("Enter")
  await page.keyboard.press("Escape")
  const password = await page.getByLabel("First password").inputValue()
  expect(password).toMatch(/^\w{16}$/)
  await page.keyboard.press("Control+s")
  await page.getByText("Giorgi Kobakhidze added").waitFor()
  await page.getByText("Send them the password yourself; it is not shown again.").waitFor()
  await expect.poll(() => title(page).innerText()).toBe("Giorgi Kobakhidze")
  await expect.poll(() => focused(page)).toBe("Giorgi Kobakhidze")
  const added = admins.find(({ email }) => email === "giorgi@quartet.test")
  expect(added?.roles).toHaveLength(1)
  expect(JSON.stringify(passwords.get(added?._id ?? ""))).toBeTruthy()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(password)
})

it("changes a name, undoes it, and shows both versions where somebody was faster", async ({
  enter,
  stage
}) => {
  const { admins } = stage.sandbox.platform.state
  const { page } = await enter("/team")
  const felix = () => admins.find(({ email }) => email === "viewer@quartet.test")
  await settle(page)
  await page.keyboard.press("j")
  await expect.poll(() => title(page).innerText()).toBe("Felix Keller")
  await page.keyboard.press("e")
  await page.getByLabel("Name").fill("Felix Keller-Beridze")
  await page.keyboard.press("Control+s")
  await page.getByText("Felix Keller-Beridze saved").waitFor()
  await page.keyboard.press("u")
  await expect.poll(() => felix()?.fullName).toBe("Felix Keller")
  await expect.poll(() => title(page).innerText()).toBe("Felix Keller")
  await page.keyboard.press("e")
  await page.getByLabel("Name").fill("Felix B.")
  const present = felix()
  if (present) admins.put({ ...present, fullName: "Felix A.", updatedAt: new Date() })
  await page.keyboard.press("Control+s")
  const question = page.getByRole("alertdialog", { name: "Someone else changed this" })
  await question.getByText("Felix A.").waitFor()
  await question.getByRole("button", { name: "Save yours" }).click()
  await expect.poll(() => felix()?.fullName).toBe("Felix B.")
  const after = felix()
  if (after) admins.put({ ...after, fullName: "Felix Keller", updatedAt: new Date() })
})

it("removes somebody only after asking by name, and never oneself", async ({ enter, stage }) => {
  const { admins } = stage.sandbox.platform.state
  const { page } = await enter("/team")
  await settle(page)
  await expect.poll(() => title(page).innerText()).toBe("Tamar Chikovani")
  await page.keyboard.press("Delete")
  expect(await page.getByRole("alertdialog", { name: /^Remove/ }).count()).toBe(0)
  const salome = admins.find(({ fullName }) => fullName === "Salome Meladze")?._id ?? ""
  await go({ page }, `/team/people/${salome}`)
  await expect.poll(() => title(page).innerText()).toBe("Salome Meladze")
  await page.keyboard.press("Delete")
  const question = page.getByRole("alertdialog", { name: "Remove Salome Meladze?" })
  await question.waitFor()
  expect(await focused(page)).toBe("Cancel")
  await question.getByRole("button", { name: "Remove Salome Meladze" }).click()
  await expect.poll(() => admins.peek(salome)).toBe(undefined)
  await expect.poll(() => title(page).innerText()).not.toBe("Salome Meladze")
})

it("says that an administrator no longer exists, and leads back", async ({ enter }) => {
  const { page } = await enter("/team/people/000000000000000000000000", /404/)
  await page.getByText("This administrator no longer exists").waitFor()
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
  await page.getByRole("link", { name: "Back to Team" }).click()
  await expect.poll(() => title(page).innerText()).toBe("Tamar Chikovani")
})

it("leads by j and the arrows into the table of roles from wherever the focus is", async ({ enter }) => {
  const { page } = await enter("/team/roles")
  await settle(page)
  await page.getByRole("main").focus()
  await page.keyboard.press("j")
  await expect.poll(() => focused(page)).toMatch(/^Owner, Everything, /)
  await page.keyboard.press("j")
  await page.keyboard.press("ArrowRight")
  await expect.poll(() => focused(page)).toMatch(/^Viewer, Requests, /)
  await page.getByRole("main").focus()
  await page.keyboard.press("ArrowDown")
  await expect.poll(() => focused(page)).toMatch(/^Viewer, Requests, /)
})

it("changes what a role may do by six keys from its cell, says for how many, and undoes it", async ({
  enter,
  stage
}) => {
  const { permissions, roles } = stage.sandbox.platform.state
  const { page } = await enter("/team/roles")
  const held = () => {
    const ids = roles.find(({ name }) => name === "Support")?.permissions ?? []
    return permissions
      .filter(({ _id, resource }) => resource === "payments" && ids.includes(_id))
      .map(({ level }) => level)
  }
  await cell(page, "Owner, Everything, manage").focus()
  for (const key of ["ArrowRight", "ArrowRight", ...Array.from({ length: 5 }, () => "ArrowDown")])
    await page.keyboard.press(key)
  expect(await focused(page)).toBe("Support, Payments, read, same as everything else")
  for (const key of ["Enter", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key)
  const dialog = page.getByRole("dialog", { name: "Support: Payments" })
  await dialog
    .getByText("Support can view and change payments. This applies to 2 people, from their next sign-in.")
    .waitFor()
  await page.keyboard.press("Enter")
  await cell(page, "Support, Payments, change").waitFor()
  expect(held()).toEqual([3])
  await expect.poll(() => focused(page)).toBe("Support, Payments, change")
  await page.keyboard.press("u")
  await expect.poll(held).toEqual([])
})

it("shows both levels and asks where two administrators change one role's, and leaves what was chosen last", async ({
  enter,
  stage
}) => {
  const { permissions, roles } = stage.sandbox.platform.state
  const [mine, theirs] = [await enter("/team/roles"), await enter("/team/roles")]
  const held = () => {
    const ids = roles.find(({ name }) => name === "Viewer")?.permissions ?? []
    return permissions
      .filter(({ _id, resource }) => resource === "contentModels" && ids.includes(_id))
      .map(({ level }) => level)
  }
  const choose = async ({ page }: typeof mine, name: string): Promise<void> => {
    await page.getByRole("button", { name: /^Viewer, Content by model, / }).click()
    await level(page, name)
  }
  const change = ({ page }: typeof mine) => page.getByRole("button", { name: /^Change/ }).click()
  const question = mine.page.getByRole("alertdialog", { name: "Someone else changed this" })
  for (const name of ["Change", "Read"]) {
    await theirs.page.reload()
    await choose(mine, name)
    await choose(theirs, "Manage")
    await change(theirs)
    await expect.poll(held).toEqual([9])
    await change(mine)
    await question.getByRole("row", { name: `Level Manage ${name}` }).waitFor()
    await question.getByRole("button", { name: "Keep editing" }).click()
    expect(held()).toEqual([9])
    await change(mine)
    await question.getByRole("button", { name: "Save yours" }).click()
    await expect.poll(held).toEqual([{ Change: 3, Read: 1 }[name]])
    await question.waitFor({ state: "detached" })
  }
})

it("warns before one takes away one's own right to change roles", async ({ enter, stage }) => {
  const { permissions, roles } = stage.sandbox.platform.state
  const { page } = await enter("/team/roles")
  await cell(page, "Owner, Roles, manage, same as everything else").click()
  await level(page, "Read")
  await page.keyboard.press("Enter")
  const question = page.getByRole("alertdialog", { name: "Give up managing roles?" })
  await question.getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor()
  await page.keyboard.press("Enter")
  await question.waitFor({ state: "detached" })
  const ids = roles.find(({ name }) => name === "Owner")?.permissions ?? []
  expect(permissions.filter(({ _id }) => ids.includes(_id)).map(({ resource }) => resource)).toEqual(["*"])
})

it("adds, renames and deletes a role, but none that somebody has", async ({ enter, stage }) => {
  const { roles } = stage.sandbox.platform.state
  const { page } = await enter("/team/roles")
  await cell(page, "Owner, Everything, manage").waitFor()
  await page.keyboard.press("a")
  await page.keyboard.type("Brokers")
  await page.getByRole("button", { name: "Add role" }).click()
  const about = (name: string) => page.getByRole("region", { name: `Role ${name}` })
  const choose = async (name: string, action: string) => {
    await about(name).getByRole("button", { name: "More actions" }).click()
    await page.getByRole("menuitem", { name: action }).click()
  }
  await about("Brokers").getByRole("button", { name: "Nobody" }).waitFor()
  await choose("Brokers", "Rename")
  await page.getByRole("textbox", { name: "Name" }).fill("Brokers in Vake")
  await page.keyboard.press("Enter")
  await choose("Brokers in Vake", "Delete…")
  await page.getByRole("button", { name: "Delete Brokers in Vake" }).click()
  await expect.poll(() => roles.find(({ name }) => name.startsWith("Brokers"))).toBe(undefined)
  await cell(page, "Viewer, Everything, read").focus()
  await page.keyboard.press("ArrowRight")
  await choose("Support", "Delete…")
  await page.getByRole("dialog", { name: "2 people have this role" }).getByText("Luka Dolidze").waitFor()
})

it("lets a role that may not change the team read it, and says so once", async ({ arrive }) => {
  const guest = await arrive()
  const { page } = guest
  await signIn(guest, "Felix Keller")
  await go(guest, "/team")
  await page.getByText("You can view administrators, but your role does not let you change them.").waitFor()
  expect(await page.getByRole("button", { name: /Add administrator|^Edit/ }).count()).toBe(0)
  await go(guest, "/team/roles")
  await page.getByText("Your role does not let you manage roles. You can only view them.").first().waitFor()
  await cell(page, "Support, Requests, change").click()
  const dialog = page.getByRole("dialog", { name: "Support: Requests" })
  await dialog.getByText("Your role does not let you manage roles.").waitFor()
  expect(await dialog.getByRole("radio", { name: /^Read/ }).isDisabled()).toBe(true)
})

it("shows who is away as bars over the days of a month, goes on by month, and tells more of one", async ({
  enter,
  stage
}) => {
  const { absences } = stage.sandbox.platform.state
  const { page } = await enter("/team/holidays")
  const now = new Date()
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
  const inMonth = absences.filter(
    ({ endDate, startDate }) => startDate.getTime() < next && endDate.getTime() >= first
  )
  await page.getByText(`${inMonth.length} absences`).waitFor()
  const one = inMonth.find(({ status }) => status === "requested")
  const bar = page.getByRole("button", { name: new RegExp(`^${one?.fullName}, .*, requested, `) }).first()
  await bar.click()
  const card = page.getByRole("complementary", { name: "The selected absence" })
  await card.getByText("Requested").waitFor()
  await page.keyboard.press("ArrowDown")
  await expect.poll(() => bar.getAttribute("aria-pressed")).toBe("false")
  await page.keyboard.press("Escape")
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole("complementary", { name: "Today" }).getByText("Away today").waitFor()
  const heading = await page.getByText(/^(\d+|Nobody) away in/).innerText()
  await page.keyboard.press("ArrowRight")
  await expect.poll(() => page.getByText(/^(\d+|Nobody) away in/).innerText()).not.toBe(heading)
  await page.keyboard.press("0")
  await expect.poll(() => page.getByText(/^(\d+|Nobody) away in/).innerText()).toBe(heading)
  await page
    .getByRole("navigation", { name: "Kinds" })
    .getByRole("link", { name: /Sick day/ })
    .click()
  const sick = inMonth.filter(({ type }) => type === "sick_day").length
  await page.getByText(new RegExp(`^${sick} absences?$`)).waitFor()
})

it("leads from a month in which nobody is away to the nearest absence", async ({ enter }) => {
  const { page } = await enter("/team/holidays?month=2019-02")
  await page.getByText("Nobody is away in February 2019", { exact: true }).waitFor()
  await page.getByRole("button", { name: "Go to the nearest absence" }).click()
  await page
    .getByRole("button", { name: /, (approved|requested), .* days?$/ })
    .first()
    .waitFor()
})

it("names the kinds of absence that could not be read, and shows the others", async ({ enter }) => {
  const { page } = await enter("/team", /500/)
  await page.route(/holiday\/report.*type=family/, (route) =>
    route.fulfill({ status: 500, contentType: "application/json", body: "{}" })
  )
  await page.reload()
  await go({ page }, "/team/holidays")
  await page.getByText("Could not be loaded: family.").waitFor()
  await page
    .getByRole("button", { name: /, (approved|requested), .* days?$/ })
    .first()
    .waitFor()
})

it("shows one role at a time and absences by week on a phone, and nothing scrolls sideways", async ({
  enter
}) => {
  const { page } = await enter("/team/roles")
  await page.setViewportSize({ width: 390, height: 844 })
  const isWithin = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
  await cell(page, "Owner, Requests, manage, same as everything else").waitFor()
  expect(await cell(page, "Support, Requests, change").isVisible()).toBe(false)
  await page.getByRole("button", { name: /Owner/ }).first().click()
  await page.getByRole("option", { name: "Support" }).click()
  await cell(page, "Support, Requests, change").waitFor()
  expect(await isWithin()).toBe(true)
  await go({ page }, "/team/holidays")
  const line = page.getByRole("button", { expanded: false, name: /Felix Keller/ })
  await line.click()
  await page.getByRole("region", { name: /^Other absences in/ }).waitFor()
  expect(await isWithin()).toBe(true)
})

it("passes axe in each part", async ({ enter }) => {
  const { page } = await enter("/team")
  await page.evaluate(axe)
  for (const path of ["/team", "/team/people/new", "/team/roles", "/team/holidays"]) {
    await go({ page }, path)
    expect(await violations(page), path).toEqual([])
  }
})
