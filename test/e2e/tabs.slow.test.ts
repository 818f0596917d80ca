// A tab that one goes back to: the browser has kept its page as it was, and nobody has told it what happened meanwhile.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { chromium } from "playwright-core"
import { expect, test } from "vitest"
import { launch } from "./chromium.js"
import { bundled, path } from "./program.js"
import { patience } from "./stage.js"

const app = `
  import * as Tabs from ${path("adapters/tabs/index.ts")}
  globalThis.tabs = Tabs.make({ name: "desk" })
  globalThis.sessionIds = []
  tabs.subscribe((session) => sessionIds.push(session?.sessionId ?? "nobody"))
  addEventListener("pageshow", ({ persisted }) => Object.assign(globalThis, { persisted }))
`

test("a page that comes back from the cache of pages hears of the sign-out that it has missed", async () => {
  const code = await bundled(app, { minify: true })
  const server = createServer(({ url }, response) => {
    const isScript = url === "/app.js"
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html")
    response.end(isScript ? code : "<script src=/app.js></script>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  // Playwright turns the cache off.
  const browserServer = await launch(process.env, { ignoreDefaultArgs: ["--disable-back-forward-cache"] })
  const browser = await chromium.connect(browserServer.wsEndpoint())
  try {
    const context = await browser.newContext()
    context.setDefaultTimeout(patience)
    const [here, otherTab] = [await context.newPage(), await context.newPage()]
    for (const page of [here, otherTab]) await page.goto(url)
    await otherTab.evaluate("tabs.keep({ sessionId: 's-1' })")
    await expect.poll(() => here.evaluate("sessionIds")).toEqual(["s-1"])
    await here.goto(`${url}elsewhere`)
    await otherTab.evaluate("tabs.forget()")
    await here.goBack({ waitUntil: "commit" })
    await expect.poll(() => here.evaluate("[persisted, sessionIds]")).toEqual([true, ["s-1", "nobody"]])
    await otherTab.evaluate("tabs.keep({ sessionId: 's-2' })")
    await expect.poll(() => here.evaluate("sessionIds")).toEqual(["s-1", "nobody", "s-2"])
  } finally {
    await browser.close()
    await browserServer.close()
    await new Promise((resolve) => server.close(resolve))
  }
})
