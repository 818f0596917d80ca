// The fields of entities: those that the specification gives, those that are assumed, and what else a platform may answer.
import type { Effect } from "effect"
import { expectTypeOf } from "vitest"
import * as Admin from "../../clients/admin/index.js"
import type { AdminClient } from "../../clients/promise/index.js"
import type { Author, Message } from "../../core/chat/model.js"
import type { Conversation } from "../../core/conversations/model.js"
import type { OpenLiteral } from "../../core/kernel/operation/entity.js"
import type { Order, OrderLine, orderStatuses } from "../../core/orders/model.js"
import type { Transaction } from "../../core/payments/model.js"

/** Neither of them may be left out of the type: an assumed field may be missing, and may be null. */
type Missing = null | undefined

declare const order: Order
declare const conversation: Conversation
declare const message: Message
declare const author: Author
declare const client: AdminClient

// A field that the specification gives is as it says: required, or what may be left out.
expectTypeOf(order._id).toEqualTypeOf<string>()
expectTypeOf(conversation.topic).toEqualTypeOf<string | Missing>()

// An assumed field may be missing or null.
expectTypeOf(order.total).toEqualTypeOf<number | Missing>()
// A word that it is known to be completes, and any other stays as it came.
expectTypeOf(order.status).toEqualTypeOf<OpenLiteral<(typeof orderStatuses)[number]> | Missing>()
order.status === "a word of this platform"
expectTypeOf(order.createdAt).toEqualTypeOf<Date | Missing>()
expectTypeOf(message.seen).toEqualTypeOf<boolean | Missing>()
expectTypeOf(author.name).toEqualTypeOf<string | Missing>()
expectTypeOf<Pick<Order, "total">>().toEqualTypeOf<{ readonly total?: number | Missing }>()
// @ts-expect-error it may be missing
const total: number = order.total
void total

// So are the fields of what it holds.
expectTypeOf(order.lines).toEqualTypeOf<ReadonlyArray<OrderLine> | Missing>()
expectTypeOf(order.lines?.[0]?.price).toEqualTypeOf<number | Missing>()
expectTypeOf(message.sender?._id).toEqualTypeOf<string | Missing>()

// What nobody knows is unknown, also in what an entity holds.
expectTypeOf(order.discount).toEqualTypeOf<unknown>()
expectTypeOf(order.lines?.[0]?.weight).toEqualTypeOf<unknown>()
// @ts-expect-error a misspelt name is a field that nobody knows
const misspelt: string | Missing = order.curency
void misspelt

// An entity is made of what is known alone.
const least: Order = { _id: "o1" }
const most: Order = { _id: "o1", total: null, lines: [{ name: "A" }], discount: 5 }
// @ts-expect-error of the assumed kind
const wrong: Order = { _id: "o1", total: "5" }
void [least, most, wrong]

// Both faces answer the same.
expectTypeOf(Admin.orders.get({ id: "o1" })).toExtend<Effect.Effect<Order, unknown, Admin.Client>>()
expectTypeOf(client.orders.get).returns.resolves.toEqualTypeOf<Order>()
expectTypeOf(client.orders.search)
  .returns.resolves.toHaveProperty("items")
  .toEqualTypeOf<ReadonlyArray<Order>>()

// An answer that is assumed as a whole may be nothing.
expectTypeOf(client.payments.refund).returns.resolves.toEqualTypeOf<Transaction | Missing>()
