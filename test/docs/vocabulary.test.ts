// The specification's own words, read from its text, beside those of the code: enumerations, weights and fields.
import { SchemaAST as AST, Schema } from "effect"
import { describe, expect, test } from "vitest"
import { BoxType, boxTypes } from "../../core/boxes/model.js"
import {
  Condition,
  conditions,
  Filter,
  FilterType,
  filterTypes,
  Operator,
  operators,
  Sort
} from "../../core/content/query.js"
import {
  HolidayAccrualType,
  HolidayType,
  holidayAccrualTypes,
  holidayTypes
} from "../../core/intranet/model.js"
import type { Typed } from "../../core/kernel/operation/answer.js"
import * as Notifications from "../../core/notifications/model.js"
import * as Onboarding from "../../core/onboarding/model.js"
import * as Level from "../../core/permissions/level.js"
import { Project } from "../../core/projects/model.js"
import * as Requests from "../../core/requests/model.js"
import * as Tenants from "../../core/tenants/model.js"
import { statement } from "../../tools/specification/statements.js"

/** How a statement begins, the values of the code, and their schema. */
const enumerations: ReadonlyArray<readonly [string, ReadonlyArray<string>, Schema.Schema<string>]> = [
  ["Box types", boxTypes, BoxType],
  ["Holiday types", holidayTypes, HolidayType],
  ["Holiday accrual types", holidayAccrualTypes, HolidayAccrualType],
  ["Notification channels", Notifications.channels, Notifications.NotificationChannel],
  ["Source type", Notifications.sourceTypes, Notifications.NotificationSource],
  ["In-app type", Notifications.inAppTypes, Notifications.InAppType],
  ["Operators", operators, Operator],
  ["Filter types", filterTypes, FilterType],
  ["Action (request) status values", Requests.statuses, Requests.RequestStatus],
  ["Conversation topics for one specific project", Tenants.topics, Tenants.Topic],
  ["Action categories for two projects", Tenants.categoryLabels, Tenants.CategoryLabel]
]

/** What a statement lists after its colon. */
const listed = (says: string): ReadonlyArray<string> =>
  statement(`${says}:`)
    .text.replace(/\.$/, "")
    .slice(says.length + 2)
    .split(", ")

const accepts = <A, I>(schema: Schema.Schema<A, I>, value: string): boolean => Schema.is(schema)(value)

describe.each(enumerations)("%s", (says, values, schema) => {
  // Spec 3.11, 3.12, 3.13, 3.14, 3.15, 3.16, 3.19, 3.20, 4.1, 9.5, 9.6
  test("are those of the specification, in its order", () => {
    expect(values).toEqual(listed(says))
  })

  // Spec 3.11, 3.13, 3.15, 3.16, 4.1, 4.2
  test("are accepted, and so is one that the platform adds later", () => {
    expect([...values, "ADDED_LATER"].filter((value) => !accepts(schema, value))).toEqual([])
  })
})

describe("content filter conditions", () => {
  // Spec 3.18
  test("are those of the specification", () => {
    expect(conditions).toEqual(listed("Content filter conditions"))
  })

  test("are closed, as the SDK translates them itself", () => {
    expect(conditions.filter((value) => !accepts(Condition, value))).toEqual([])
    expect(accepts(Condition, "startsWith")).toBe(false)
  })
})

describe("action data types", () => {
  const words: ReadonlyArray<string> = statement("Action data types:").text.match(/\b[A-Z][A-Z_]+\b/g) ?? []
  const place = words.indexOf("HOME_APP")

  // Spec 3.17
  test("are the general ones of the specification, and the home app's family", () => {
    expect(Requests.generalTypes).toEqual(words.slice(0, place))
    expect(Requests.homeAppTypes).toEqual(words.slice(place + 1))
  })

  test("are accepted, and so is one that the platform adds later or misspells", () => {
    const all = [...Requests.generalTypes, ...Requests.homeAppTypes, "REDIRECTING_FREIND"]
    expect(all.filter((value) => !accepts(Requests.RequestType, value))).toEqual([])
  })
})

// Spec 6.1, 9.2
test.each(["Permission levels", "Permission weights"])("%s are the specification's", (says) => {
  const pairs = listed(says)
  expect(
    Object.entries(Level)
      .map(([name, weight]) => [name, String(weight)])
      .sort()
  ).toEqual(pairs.map((pair) => pair.split(/[ =]/)).sort())
})

/** Names of the fields that a schema declares; those of a declared object as `agreement.id`. */
const fieldsOf = ({ ast }: Pick<Typed<unknown>, "ast">): ReadonlyArray<string> =>
  AST.getPropertySignatures(AST.typeAST(ast)).flatMap(({ name, type }) => {
    const inner = AST.isTypeLiteral(type) ? fieldsOf({ ast: type }) : []
    return inner.length === 0
      ? [String(name)]
      : [String(name), ...inner.map((field) => `${String(name)}.${field}`)]
  })

const shapes: ReadonlyArray<readonly [says: string, schema: Pick<Typed<unknown>, "ast">]> = [
  ["Project", Project],
  ["Pending task", Onboarding.PendingTask],
  ["Document (demo data)", Onboarding.Document],
  ["Billing item (demo)", Onboarding.BillingItem],
  ["Project stats (demo)", Onboarding.ProjectStats]
]

// Spec 3.1, 3.4, 3.5, 3.6, 3.7
test.each(shapes)("%s has the specification's fields", (says, schema) => {
  const names = statement(`${says}: `)
    .text.slice(says.length + 2, -1)
    .replace(/ \([^)]*\)/g, "")
    .replace(/(\w+) \{(\w+), (\w+)\}/g, "$1, $1.$2, $1.$3")
    .split(", ")
  // Those whose kinds are assumed stand after the others.
  expect([...fieldsOf(schema)].sort()).toEqual([...names].sort())
})

// Spec 3.9
test("a content filter has the specification's fields, of which op, t and condition may be left out", () => {
  const said = statement("Content filter: ").text
  expect(said).toBe("Content filter: key k, value v, condition, optional operator op and optional type t.")
  expect(Object.keys(Filter.fields)).toEqual(["k", "v", "condition", "op", "t"])
  expect(Schema.is(Filter)({ k: "title", v: "a" })).toBe(true)
  expect(Schema.is(Filter)({ k: "title" })).toBe(false)
})

// Spec 3.10
test("a sort item has the specification's fields, of which t may be left out", () => {
  expect(statement("Sort item: ").text).toBe("Sort item: k, v, optional t.")
  expect(Object.keys(Sort.fields)).toEqual(["k", "v", "t"])
  expect(Schema.is(Sort)({ k: "title", v: "asc" })).toBe(true)
  expect(Schema.is(Sort)({ k: "title" })).toBe(false)
})

// Spec 3.8
test("an action category has a label and a list of action types", () => {
  expect(statement("Action category: ").text).toBe("Action category: label and a list of action types.")
  expect(Object.keys(Tenants.ActionCategory.fields)).toEqual(["label", "types"])
  expect(Schema.is(Tenants.ActionCategory)({ label: "Broker", types: ["BUY", "RENT"] })).toBe(true)
})
