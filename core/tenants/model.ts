/**
 * Features of two particular projects: conversation topics and action categories (specification, points 3 and 9). Which
 * projects these are is configuration: the specification does not give their ids.
 */

import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"
import { type generalTypes, type homeAppTypes, RequestType } from "../requests/model.js"

/** The projects with topics and categories. An omitted project has none. @category models */
export interface Tenants {
  /** The project with conversation topics. */
  readonly topicsProjectId?: string
  /** The projects with action categories. The second one has only the category Other, with its extra types. */
  readonly categoriesProjectIds?: readonly [first: string, second: string]
}

/** The topics of conversations. @category constants */
export const topics = /*#__PURE__*/ Object.freeze([
  "General",
  "CRM",
  "Contact Center",
  "Sales",
  "Broker",
  "Complex Manager",
  "Other"
] as const)

/** The topic of a conversation. @category schemas */
export type Topic = Entity.OpenLiteral<(typeof topics)[number]>
export const Topic: Schema.Schema<Topic, string> = /*#__PURE__*/ (() => Entity.openLiteral(...topics))()

/** The labels of the action categories. @category constants */
export const categoryLabels = /*#__PURE__*/ Object.freeze([
  "Maintenance",
  "Broker",
  "Linking",
  "Other"
] as const)

/** The label of an action category. @category schemas */
export type CategoryLabel = Entity.OpenLiteral<(typeof categoryLabels)[number]>
export const CategoryLabel: Schema.Schema<CategoryLabel, string> = /*#__PURE__*/ (() =>
  Entity.openLiteral(...categoryLabels))()

/** A label and its action types. @category schemas */
export const ActionCategory = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Its name for people. */
    label: CategoryLabel,
    /** The types of requests that belong to it. */
    types: Schema.Array(RequestType)
  }))()
export interface ActionCategory extends Schema.Schema.Type<typeof ActionCategory> {}

/** An action type as the specification spells it. @category models */
export type ActionType = (typeof generalTypes)[number] | (typeof homeAppTypes)[number]

/** Misspelled action types and their correct forms: `{ "<misspelled>": "REDIRECTING_FRIEND" }`. @category models */
export type Aliases = Readonly<Record<string, ActionType>>
