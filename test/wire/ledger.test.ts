// The ledger of the wire: each of the platform's calls, made through its client, is on the wire byte for byte what
// the platform's list says, over both transports and in both forms of the clients.

import { transports } from "@quartet/support/transports.js"
import { clients, partsOf, type Row, rows } from "@quartet/support/wire-rows.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Sdk from "../../clients/index.js"
import { operations } from "../../core/catalogue.js"
import { answerTo } from "./answers.js"
import { type Extent, expectation } from "./expectation.js"
import * as Forms from "./forms.js"
import { taken } from "./observation.js"
import { type Platform, start } from "./platform.js"

const forms = { Effects: Forms.effects, Promises: Forms.promises }

const settings = transports.flatMap(({ name: transport, open: makeTransport }) =>
  Object.entries(forms).map(([form, makeForm]) => ({ transport, makeTransport, form, makeForm }))
)

// Spec 1.1
test("the list has calls of four clients, which are those that the SDK has, and none twice", () => {
  expect(new Set(rows.map(({ id }) => partsOf(id).client))).toEqual(new Set(clients))
  const offered = Object.entries(Sdk).filter(([, member]) => "Client" in Object(member))
  expect(offered.map(([name]) => name.toLowerCase()).sort()).toEqual(
    clients.map((name) => name.toLowerCase()).sort()
  )
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
})

// Spec 0.2, 2.2
test("every operation has a row for each audience, and every row has an operation", () => {
  const declared = operations.flatMap(({ declaration, name }) =>
    declaration().audiences.map((audience) => `${audience}.${name}`)
  )
  expect(declared.sort()).toEqual(rows.map(({ id }) => id).sort())
})

describe.each(settings)("over $transport, with $form,", ({ makeForm, makeTransport }) => {
  let platform: Platform
  let transport: ReturnType<typeof makeTransport>
  let form: Forms.Form

  beforeAll(async () => {
    platform = await start()
    transport = makeTransport()
    form = makeForm(platform.config, transport.transport)
  })

  afterAll(async () => {
    await form.close()
    await transport.close()
    await platform.close()
  })

  const walk = async (row: Row, extent: Extent) => {
    const { input, sent } = expectation(row, extent)
    const { reply, value } = answerTo(row)
    platform[row.service].answer(() => reply)
    const answer = await form.call(row, input)
    expect(taken(platform)).toEqual([sent])
    expect(answer).toEqual(value)
  }

  // Spec calls, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 4.6, 5.3, 7.1, 7.22, 7.34, 7.39
  test.each(rows)("$id is $method $path", async (row) => {
    await walk(row, "whole")
    await walk(row, "least")
  })
})
