/** Seeds the shop: 250 items, 120 orders in their groups, and 400 payments with their events. */
import type { Item, Order, OrderGroup, Transaction, TransactionEvent, User } from "./entities.js"
import type { Random } from "./random.js"
import { detailedItem } from "./seed-details.js"
import type { Pictures } from "./seed-files.js"
import * as Words from "./vocabulary.js"

export interface Shop {
  readonly items: ReadonlyArray<Item>
  readonly orders: ReadonlyArray<Order>
  readonly orderGroups: ReadonlyArray<OrderGroup>
  readonly transactions: ReadonlyArray<Transaction>
  readonly transactionEvents: ReadonlyArray<TransactionEvent>
}

const currency = "USD"
const day = 86_400_000

const cents = (value: number): number => Math.round(value * 100) / 100

const item = (random: Random, users: ReadonlyArray<User>): Item => {
  const kind = random.pick(Words.itemKinds)
  const createdAt = random.date(Words.began, Words.ended)
  const district = random.pick(Words.districts)
  const isPlace = kind.type !== "service"
  const noun = random.pick<string>(kind.nouns)
  return {
    _id: random.id(),
    name: isPlace ? `${random.pick(Words.adjectives)} ${noun} in ${district}` : `Home ${noun}, ${district}`,
    type: kind.type,
    status: random.pick(["available", "available", "available", "reserved", "sold"]),
    price: Math.round(random.int(kind.from, kind.to) / 10) * 10,
    currency,
    district,
    city: "Tbilisi",
    ...(isPlace ? { area: random.int(12, 240), floor: random.int(0, 22), rooms: random.int(1, 6) } : {}),
    userId: random.pick(users)._id,
    interests: random.some(Words.interests, random.int(1, 4)),
    featured: random.chance(0.12),
    createdAt,
    updatedAt: createdAt
  }
}

const order = (random: Random, number: number, users: ReadonlyArray<User>, items: ReadonlyArray<Item>) => {
  const createdAt = random.date(Words.began, Words.ended)
  // The first orders are those of the two users who can sign in, so that their lists are never empty.
  const buyer = number < 12 ? users[number % 2] : undefined
  const lines = random.some(items, random.int(1, 3)).map(({ _id, price, name }) => ({
    itemId: _id,
    name,
    quantity: random.int(1, 2),
    price
  }))
  return {
    _id: random.id(),
    number: `RH-${10_001 + number}`,
    userId: (buyer ?? random.pick(users))._id,
    status: random.pick(["new", "confirmed", "paid", "paid", "delivered", "cancelled"]),
    type: random.pick(["sale", "sale", "rent", "service"]),
    total: cents(lines.reduce((sum, line) => sum + line.price * line.quantity, 0)),
    currency,
    lines,
    createdAt,
    updatedAt: createdAt
  }
}

/** The events that lead to a status. */
const eventTypes: Readonly<Record<string, ReadonlyArray<string>>> = {
  pending: ["created"],
  succeeded: ["created", "authorised", "captured"],
  failed: ["created", "declined"],
  refunded: ["created", "authorised", "captured", "refunded"]
}

export const seedShop = (random: Random, users: ReadonlyArray<User>, pictures: Pictures): Shop => {
  const items = Array.from({ length: 250 }, () => item(random, users))
  const bare = Array.from({ length: 120 }, (_, number) => order(random, number, users, items))

  const orders: Array<Order> = []
  const orderGroups: Array<OrderGroup> = []
  for (const { _id: userId } of users) {
    const userOrders = bare.filter((order) => order.userId === userId)
    for (let first = 0; first < userOrders.length; first += 3) {
      const members = userOrders.slice(first, first + 3)
      const _id = random.id()
      const createdAt = new Date(Math.min(...members.map((order) => order.createdAt.getTime())))
      orders.push(...members.map((order) => ({ ...order, groupId: _id })))
      orderGroups.push({
        _id,
        userId,
        status: members.every((order) => order.status === "delivered") ? "closed" : "open",
        orders: members.map((order) => order._id),
        total: cents(members.reduce((sum, order) => sum + order.total, 0)),
        currency,
        createdAt,
        updatedAt: createdAt
      })
    }
  }

  const transactions: Array<Transaction> = []
  const transactionEvents: Array<TransactionEvent> = []
  while (transactions.length < 400) {
    const paid = random.pick(orders)
    const status = random.pick(["succeeded", "succeeded", "succeeded", "pending", "failed", "refunded"])
    const createdAt = new Date(paid.createdAt.getTime() + random.int(0, 20) * day)
    const amount = cents(paid.total / random.pick([1, 2, 4, 12]))
    const _id = random.id()
    // Of some, a half alone is given back.
    const isPart = status === "refunded" && transactions.length % 4 === 1
    const refundedAmount = isPart ? cents(amount / 2) : amount
    const types = eventTypes[status] ?? []
    for (const [index, type] of types.entries()) {
      const at = new Date(createdAt.getTime() + index * random.int(1, 90) * 60_000)
      transactionEvents.push({
        _id: random.id(),
        transactionId: _id,
        type,
        amount: type === "refunded" ? refundedAmount : amount,
        currency,
        createdAt: at
      })
    }
    transactions.push({
      _id,
      userId: paid.userId,
      orderId: paid._id,
      amount,
      currency,
      status: isPart ? "partially_refunded" : status,
      type: random.pick(["card", "card", "transfer", "link"]),
      provider: random.pick(["BOG", "TBC", "Stripe"]),
      description: `Payment for ${paid.number}`,
      ...(status === "succeeded" ? { refundedAmount: 0, refundableAmount: amount } : {}),
      ...(status === "refunded" ? { refundedAmount, refundableAmount: cents(amount - refundedAmount) } : {}),
      createdAt,
      updatedAt: createdAt
    })
  }
  return { items: items.map(detailedItem(pictures)), orders, orderGroups, transactions, transactionEvents }
}
