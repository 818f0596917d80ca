/** The files of the project as a person works with them: found, uploaded, looked at and deleted; nothing of them is run. */
import { expect } from "vitest"
import { go, it, signIn } from "./stage.js"

const scripted = {
  name: "scripted.svg",
  mimeType: "image/svg+xml",
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><script>top.isRun = true</script><rect width="30" height="20"/></svg>'
  )
}
const page = {
  name: "page.html",
  mimeType: "text/html",
  buffer: Buffer.from("<h1>Hello</h1><script>top.isRun = true</script>")
}

it("uploads several files, each said by its end, and shows them without running anything of them", async ({
  enter
}) => {
  const { page: tab } = await enter("/files")
  await tab.getByLabel("Files to upload").first().setInputFiles([scripted, page])
  await tab.getByText("2 files uploaded").waitFor()
  await tab
    .getByRole("link", { name: /scripted\.svg/ })
    .first()
    .click()
  await tab.getByRole("button", { name: "Preview. Show the whole picture" }).waitFor()
  await tab
    .getByRole("link", { name: /page\.html/ })
    .first()
    .click()
  await tab.getByRole("region", { name: "Text of the file" }).getByText("<h1>Hello</h1>").waitFor()
  expect(await tab.evaluate(() => Reflect.get(window, "isRun"))).toBeUndefined()
})

it("deletes a file after asking, and goes on to the next one", async ({ enter }) => {
  const { page: tab } = await enter("/files")
  await tab
    .getByLabel("Files to upload")
    .first()
    .setInputFiles([{ ...page, name: "to-delete.html" }])
  await tab.getByText("to-delete.html uploaded").waitFor()
  await tab
    .getByRole("link", { name: /to-delete\.html/ })
    .first()
    .click()
  await tab.keyboard.press("Delete")
  const question = tab.getByRole("alertdialog", { name: "Delete “to-delete.html”?" })
  await question.getByRole("button", { name: "Cancel" }).waitFor()
  await question.getByRole("button", { name: "Delete file" }).click()
  await tab.getByText("to-delete.html deleted").waitFor()
  await tab
    .getByRole("region", { name: "Selected in files" })
    .getByRole("button", { name: "Download" })
    .waitFor()
  expect(await tab.getByRole("heading", { name: "to-delete.html" }).count()).toBe(0)
})

it("narrows to documents, and says nothing of a key to whoever may not change files", async ({ arrive }) => {
  const { page: tab } = await arrive()
  await signIn({ page: tab }, "Felix Keller")
  await go({ page: tab }, "/files?tab=documents")
  await tab.getByText("You can view files, but your role does not let you change them.").waitFor()
  expect(await tab.getByRole("button", { name: "Upload" }).count()).toBe(0)
  expect(await tab.getByRole("button", { name: "Delete" }).count()).toBe(0)
})

it("says that a file is gone, with the way back", async ({ enter }) => {
  const { page: tab } = await enter("/files/5eed0000000000000000dead", /404/)
  await tab.getByText("This file no longer exists").waitFor()
  expect(await tab.getByRole("button", { name: "Try again" }).count()).toBe(0)
  await tab.getByRole("link", { name: "Back to Files" }).click()
  await expect.poll(() => new URL(tab.url()).pathname).not.toContain("dead")
})

it("says wherever one is how many files could not be uploaded, and leads to the reasons", async ({
  enter
}) => {
  const { page: tab } = await enter("/files", /413/)
  const held: Array<() => void> = []
  await tab.route("**/v1/cms/file*", async (route) => {
    if (route.request().method() !== "POST") return route.continue()
    await new Promise<void>((resolve) => held.push(resolve))
    await route.fulfill({ status: 413, json: { message: "Too large" } })
  })
  await tab.getByLabel("Files to upload").first().setInputFiles([scripted, page])
  await expect.poll(() => held.length).toBe(2)
  await go({ page: tab }, "/orders")
  for (const answer of held) answer()
  const said = tab.getByRole("alertdialog", { name: "2 files could not be uploaded" })
  await said.getByRole("button", { name: "Show" }).click()
  const failed = tab.getByRole("list", { name: "Uploads" })
  await failed.getByText("page.html").first().waitFor()
  await failed.getByRole("button", { name: "Upload again" }).first().waitFor()
})
