// Each group of calls says what it is for, and says it to editors and to readers alike.
import { read } from "@quartet/support/files.js"
import { expect, test } from "vitest"
import { described } from "../../clients/description/described.js"
import { groupKeys, groupText } from "../../clients/description/groups.js"
import { sliceOf } from "../../core/kernel/operation/operation.js"
import { calls } from "../../tools/pages/calls.js"
import { packed } from "../../tools/pages/llms.js"

const groups = [
  ...new Map(
    described.map(({ audience, name }) => [
      `${audience}.${sliceOf(name)}`,
      { audience, group: sliceOf(name) }
    ])
  )
]

test.each(groups)("%s is explained in the table of calls", (_, { audience, group }) => {
  const text = groupText(audience, group)
  expect(text).toMatch(/^[A-Z].+\.$/)
  expect(read("docs/calls.md").split(`\n## ${group}\n`)[1]?.split("\n## ")[0]).toContain(text)
})

test.each(groups)("%s is explained by llms.txt and on the pages of its calls", (_, { audience, group }) => {
  const text = groupText(audience, group)
  const own = calls.filter(({ client, family }) => client === audience && family === group)
  expect(own.map(({ about }) => about)).toEqual(own.map(() => text))
  const lists = ["llms.txt", "llms-full.txt"].map((file) => packed.get(file) ?? "")
  for (const list of lists)
    expect(
      list
        .split(new RegExp(`\n##+ ${group}\n`))
        .at(-1)
        ?.split("\n##")[0]
    ).toContain(text)
})

test("no text is of a group that no client has", () => {
  expect(groups.length).toBeGreaterThan(40)
  const known = groups.flatMap(([key, { group }]) => [key, group])
  expect(groupKeys.filter((key) => !known.includes(key))).toEqual([])
})

test("a group that is named in the text of another one exists", () => {
  for (const [key, { audience, group }] of groups) {
    const names = [...groupText(audience, group).matchAll(/`(\w+)`/g)].map(([, name]) => name ?? "")
    const own = groups.filter(([, of]) => of.audience === audience).map(([, of]) => of.group)
    expect([key, names.filter((name) => ![...own, "roles", "collection"].includes(name))]).toEqual([key, []])
  }
})
