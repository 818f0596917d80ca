// Topics and categories are shown to the configured projects alone.
import { describe, expect, test } from "vitest"
import { homeAppTypes } from "../../../core/requests/model.js"
import type { Tenants } from "../../../core/tenants/model.js"
import { categoriesOf, extraTypes, topicsOf } from "../../../core/tenants/topics.js"

const tenants: Tenants = { topicsProjectId: "talks", categoriesProjectIds: ["first", "second"] }

const labels = (projectId: string) => categoriesOf(tenants, projectId).map(({ label }) => label)
const types = (projectId: string) => categoriesOf(tenants, projectId).flatMap((category) => category.types)

describe("conversation topics", () => {
  // Spec 9.5
  test("are those of the specification for the configured project", () => {
    expect(topicsOf(tenants, "talks")).toEqual([
      "General",
      "CRM",
      "Contact Center",
      "Sales",
      "Broker",
      "Complex Manager",
      "Other"
    ])
  })

  // Spec 6.11
  test.each(["first", "second", "another", ""])("are none for the project %o", (projectId) => {
    expect(topicsOf(tenants, projectId)).toEqual([])
  })
})

describe("action categories", () => {
  // Spec 9.6
  test("of the first project are the four of the specification", () => {
    expect(labels("first")).toEqual(["Maintenance", "Broker", "Linking", "Other"])
  })

  test("of the first project hold each type of the home app once", () => {
    expect([...types("first")].sort()).toEqual([...homeAppTypes].sort())
  })

  // Spec 9.7
  test("of the second project are Other alone", () => {
    expect(labels("second")).toEqual(["Other"])
  })

  test("of the second project hold the types of the first one's Other, and the extra ones", () => {
    const last = categoriesOf(tenants, "first").find(({ label }) => label === "Other")
    expect(types("second")).toEqual([...(last?.types ?? []), ...Object.keys(extraTypes)])
  })

  // Spec 9.7
  test("have the extra types that the specification names", () => {
    expect(Object.values(extraTypes)).toEqual([
      "Visit to the construction site",
      "Meeting with a designer about planning changes",
      "Agreement on electric and wet points",
      "Payment schedule change",
      "Change File"
    ])
  })

  // Spec 6.11
  test.each(["talks", "another", ""])("are none for the project %o", (projectId) => {
    expect(categoriesOf(tenants, projectId)).toEqual([])
  })
})

// Spec 1.10
test("a client for which nothing is configured shows nothing to anyone", () => {
  const missing = [undefined, null] as unknown as ReadonlyArray<string>
  for (const projectId of ["talks", "first", "second", "undefined", "", ...missing]) {
    expect(topicsOf({}, projectId)).toEqual([])
    expect(categoriesOf({}, projectId)).toEqual([])
    for (const broken of [undefined, null, 5, { topicsProjectId: 5, categoriesProjectIds: 5 }]) {
      expect(topicsOf(broken as never, projectId)).toEqual([])
      expect(categoriesOf(broken as never, projectId)).toEqual([])
    }
  }
  // A project that is not known yet is not the one that is not configured.
  for (const nothing of ["", ...missing]) {
    expect(topicsOf({ topicsProjectId: nothing }, nothing)).toEqual([])
    expect(categoriesOf({ categoriesProjectIds: [nothing, nothing] }, nothing)).toEqual([])
  }
})

test("lists are the caller's own: what is changed in them, nobody else sees", () => {
  const lists = () => [
    topicsOf(tenants, "talks"),
    categoriesOf(tenants, "first"),
    categoriesOf(tenants, "second")
  ]
  const before = structuredClone(lists())
  for (const category of [...categoriesOf(tenants, "first"), ...categoriesOf(tenants, "second")]) {
    Reflect.set(category.types, 0, "SPOILT")
    Reflect.set(category, "label", "Spoilt")
  }
  for (const list of lists()) Reflect.set(list, 0, "Spoilt")
  expect(lists()).toEqual(before)
})
