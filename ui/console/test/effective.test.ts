import { describe, expect, it } from "vitest"
import {
  effective,
  grantsOf,
  grantsOfRoles,
  levelName,
  levelsOf,
  mayManageRoles,
  ofActions,
  type Permission,
  resourcesOf,
  steps,
  wholePermissions
} from "../views/team/effective.js"

const permission = (resource: string, level: number, action = "*"): Permission => ({
  _id: `${resource}-${level}`,
  resource,
  action,
  level
})

const all = ["*", "requests"].flatMap((resource) => [1, 3, 9].map((level) => permission(resource, level)))

describe("what a role may do", () => {
  it("adds permissions up to the highest level on each resource", () => {
    const assigned = [permission("requests", 1), permission("requests", 3), permission("*", 1)]
    expect(grantsOf(assigned)).toEqual({ requests: { "*": 3 }, "*": { "*": 1 } })
    const roles = [{ permissions: ["requests-1"] }, { permissions: ["requests-3", "gone"] }, {}]
    expect(grantsOfRoles(all, roles)).toEqual({ requests: { "*": 3 } })
  })

  it("is decided by the most specific grant, also where a wider one is higher", () => {
    const grants = grantsOf([permission("requests", 1), permission("*", 9)])
    expect(effective(grants, "requests")).toMatchObject({ level: 1, grant: "requests.*" })
    expect(effective(grants, "orders")).toMatchObject({ level: 9, grant: "*.*" })
    expect(effective({}, "orders").grant).toBe(undefined)
  })

  it("has a word for each level of the specification, and the number of any other", () => {
    const names = [0, 1, 3, 9, 5, undefined].map(levelName)
    expect(names.join(", ")).toBe("Nothing, Read, Change, Manage, Level 5, Nothing")
  })

  it("is changed by adding the permission of the new level and taking those of all others", () => {
    const assigned = new Set(["requests-1", "*-1"])
    expect(steps(all, assigned, "requests", 9)).toEqual({
      add: [permission("requests", 9)],
      remove: [permission("requests", 1)]
    })
    expect(steps(all, assigned, "requests", undefined)).toEqual({
      add: [],
      remove: [permission("requests", 1)]
    })
    expect(steps(all, assigned, "requests", 1)).toEqual({ add: [], remove: [] })
  })

  it("can be given the levels that there are permissions for", () => {
    const some = [permission("requests", 9), permission("requests", 1), permission("requests", 3, "markSeen")]
    expect(levelsOf(some, "requests")).toEqual([1, 9])
    expect(ofActions(grantsOf(some), "requests")).toEqual([["markSeen", 3]])
  })

  it("stands by place, then by name, and what is not said whole is left out", () => {
    const rows = [
      ...["users", "zones", "requests", "*", "carts"].map((resource) => ({ ...permission(resource, 1) })),
      { _id: "half", resource: "orders", action: null, level: 1 }
    ]
    expect(resourcesOf(wholePermissions(rows))).toEqual({
      wildcard: ["*"],
      places: ["requests", "users"],
      others: ["carts", "zones"]
    })
  })

  it("includes changing roles only with what adds and what removes permissions", () => {
    expect(mayManageRoles(grantsOf([permission("*", 9)]))).toBe(true)
    expect(mayManageRoles(grantsOf([permission("*", 9), permission("roles", 3)]))).toBe(false)
    expect(mayManageRoles(grantsOf([permission("roles", 9, "addPermission")]))).toBe(false)
  })
})
