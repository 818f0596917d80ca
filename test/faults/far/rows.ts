/** Rows that both ends know by their ids alone: the far end puts them into the platform, the near end checks what it reads. */
import { type Box, hash, type Request, type Transaction } from "@quartet/sandbox/extend"

const at = new Date("2025-01-02T03:04:05.678Z")

const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf("-") + 1))

/** A visitor's box whose every field follows from its id. */
export const boxOf = (id: string): Box => ({
  _id: id,
  type: "QUIZ_RESULT",
  userId: null,
  createdAt: at,
  updatedAt: new Date(at.getTime() + numberOf(id) * 1000),
  score: hash(id),
  note: `the box ${id}, “quoted” and ümläuted`,
  answers: [hash(`${id}a`) % 100, hash(`${id}b`) % 100, null, true]
})

export const requestOf = (id: string, userId: string): Request => ({
  _id: id,
  userId,
  type: "MAINTENANCE",
  status: "pending",
  title: `the request ${id}`,
  version: 1,
  comments: [],
  seenByAdmin: 0,
  seenByUser: 0,
  createdAt: at,
  updatedAt: at
})

/** A payment that succeeded, of an amount that follows from its id. */
export const paymentOf = (id: string): Transaction => ({
  _id: id,
  userId: null,
  orderId: null,
  amount: amountOf(id),
  currency: "USD",
  status: "succeeded",
  type: "card",
  provider: "BOG",
  createdAt: at,
  updatedAt: at
})

export const amountOf = (id: string): number => 1 + (hash(id) % 1_000_000) / 100
