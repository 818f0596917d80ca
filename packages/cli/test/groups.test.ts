// What a group of calls is for is said by the command line too.
import { sliceOf } from "@quartet/sdk/extend"
import { described, groupText } from "@quartet/sdk/extend/description"
import { expect, test } from "vitest"
import { search } from "../call/search.js"

test.each(described.map((call) => [call.key, call] as const))(
  "%s comes with what its group is for",
  (_, call) => {
    const found = search([call.name]).filter(({ operation }) => operation === call.name)
    expect(found.map(({ group }) => group).join(" ")).toContain(groupText(call.audience, sliceOf(call.name)))
  }
)
