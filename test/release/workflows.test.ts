// What the public forge runs.

import { read } from "@quartet/support/files.js"
import { expect, it } from "vitest"

const workflows = ["ci", "release"].map((name) => read(`.github/workflows/${name}.yml`))

it("the workflows run what .ci/run does, on the oldest supported Node and on those after it", () => {
  const [ci = ""] = workflows
  const [, oldest] = />=(.*)/.exec(JSON.parse(read("package.json")).engines.node) ?? []
  expect(ci).toContain("run: .ci/run")
  expect(ci).toContain(`node: ["${oldest}", "22", "24"]`)
})

it("the workflows take actions by their commit alone, and hold no secret", () => {
  const used = workflows.flatMap((text) =>
    [...text.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action)
  )
  expect(used.length).toBeGreaterThan(3)
  expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
  expect(workflows.filter((text) => text.includes("secrets."))).toEqual([])
  expect(workflows[1]).toContain("id-token: write")
})
