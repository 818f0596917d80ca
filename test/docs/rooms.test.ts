// docs/architecture.md has the tree of the packages: every room of the sources is on it, and every room on it is there.

import { exists, filesIn, read } from "@quartet/support/files.js"
import { expect, test } from "vitest"

const page = read("docs/architecture.md")

/** A slice of the platform: the tree has one row for all of them. */
const isSlice = (folder: string): boolean =>
  /^core\/[\w-]+$/.test(folder) && exists(`${folder}/operations.ts`)

/** Folders that hold sources, but for those of tests, of what is built, of slices, and of single views and sections. */
const rooms = [
  ...new Set(
    ["core", "adapters", "clients", "ui", "packages"]
      .flatMap(filesIn)
      .filter((file) => /\.tsx?$/.test(file) && !/\/(test|dist)\//.test(file))
      .map((file) => file.replace(/\/[^/]+$/, ""))
      .filter(
        (folder) => !isSlice(folder) && !/^packages\/support\/|^ui\/(devtools|console\/views)\//.test(folder)
      )
  )
]

test("the tree of the packages names every room", () => {
  expect(rooms.length).toBeGreaterThan(50)
  expect(
    rooms.filter(
      (room) => room.includes("/") && !/^packages\/\w+$/.test(room) && !page.includes(`\`${room}\``)
    )
  ).toEqual([])
})

test("the tree of the packages names no room that is not there", () => {
  const tree = page.slice(page.indexOf("## The packages and their rooms"), page.indexOf("### The rest"))
  const named = [...tree.matchAll(/`((?:core|adapters|clients|ui|packages)\/[\w/-]+)`/g)].map(
    ([, room = ""]) => room
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((room) => !exists(room))).toEqual([])
})
