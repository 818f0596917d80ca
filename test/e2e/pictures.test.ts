/** The pictures of the pages, in the sizes in which people have the console: `npm run pictures` keeps them in `docs/images`. */
import { writeFile } from "node:fs/promises"
import { expect } from "vitest"
import { it, type Stage, settle } from "./stage.js"

interface Picture {
  readonly name: string
  readonly path: (state: Stage["sandbox"]["platform"]["state"]) => string
  /** What must be there before it is drawn. */
  readonly shows: string | RegExp
  readonly isDark?: boolean
  readonly isNarrow?: boolean
}

/** An open request with a text, pictures and answers. */
const request: Omit<Picture, "name"> = {
  path: ({ requests }) => {
    const told = requests.filter(
      ({ comments, data, description, status }) =>
        status === "reviewed" &&
        description !== undefined &&
        comments.length > 3 &&
        "pictures" in Object(data)
    )
    return `/requests/${told[0]?._id}`
  },
  shows: "sent this"
}

const pictures: ReadonlyArray<Picture> = [
  { ...request, name: "requests-light" },
  { ...request, name: "requests-dark", isDark: true },
  {
    name: "customer-light",
    path: ({ users }) => `/customers/${users.filter(({ fullName }) => fullName === "Ana Beridze")[0]?._id}`,
    shows: "Followers"
  },
  { name: "content-light", path: () => "/library?model=news", shows: "Georgian" },
  {
    name: "explorer-dark",
    path: () => "/explorer?call=admin.payments.refund",
    shows: "As code",
    isDark: true
  },
  {
    name: "chat-narrow",
    path: ({ conversations }) => `/chat/${conversations.filter(({ status }) => status === "open")[0]?._id}`,
    shows: "Send",
    isNarrow: true
  }
]

const images = new URL("../../docs/images/", import.meta.url)

it.for(pictures)("draws the picture $name", async (picture, { enter, stage }) => {
  const { isDark = false, isNarrow = false, name, path, shows } = picture
  const { page } = await enter()
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" })
  await page.setViewportSize(isNarrow ? { width: 390, height: 844 } : { width: 1440, height: 900 })
  await page.goto(stage.url + path(stage.sandbox.platform.state))
  await settle(page)
  await page.getByText(shows).filter({ visible: true }).first().waitFor()
  await page.waitForLoadState("networkidle")
  await settle(page)
  await page.mouse.move(0, 0)
  const drawn = await page.screenshot({ animations: "disabled" })
  expect(drawn.byteLength, "more than an empty page").toBeGreaterThan(20_000)
  if (process.env.SCREENSHOTS === "1") await writeFile(new URL(`${name}.png`, images), drawn)
})
