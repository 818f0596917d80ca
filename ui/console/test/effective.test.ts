import { describe, expect, it } from "vitest"
import type { PermissionRow } from "../app/rows.js"
import { effective, grantsOf, levelName, steps } from "../views/people/effective.js"

const permission = (resource: string, level: number): PermissionRow => ({
  _id: `${resource}-${level}`,
  resource,
  action: "*",
  level
})

const all = ["*", "requests"].flatMap((resource) => [1, 3, 9].map((level) => permission(resource, level)))

describe("what a role may do", () => {
  it("adds permissions up to the highest level on each resource", () => {
    const assigned = [permission("requests", 1), permission("requests", 3), permission("*", 1)]
    expect(grantsOf(assigned)).toEqual({ requests: { "*": 3 }, "*": { "*": 1 } })
  })

  it("is decided by the most specific grant, also where a wider one is higher", () => {
    const grants = grantsOf([permission("requests", 1), permission("*", 9)])
    expect(effective(grants, "requests")).toMatchObject({ level: 1, grant: "requests.*" })
    expect(effective(grants, "orders")).toMatchObject({ level: 9, grant: "*.*" })
    expect(effective({}, "orders").grant).toBe(undefined)
  })

  it("names the levels of the specification, and says the number of any other", () => {
    const names = [0, 1, 3, 9, 5, undefined].map(levelName)
    expect(names.join(", ")).toBe("None, Read, Write, Admin, Level 5, None")
  })

  it("is changed by adding the permission of the new level and taking those of all others", () => {
    const assigned = new Set(["requests-1", "*-1"])
    expect(steps(all, assigned, "requests", "Admin")).toEqual({
      add: [permission("requests", 9)],
      remove: [permission("requests", 1)]
    })
    expect(steps(all, assigned, "requests", "None")).toEqual({ add: [], remove: [permission("requests", 1)] })
    expect(steps(all, assigned, "requests", "Read")).toEqual({ add: [], remove: [] })
  })
})
