// Which names of a body count as a known one with a slip of typing, and which are words of their own.
import { describe, expect, it } from "@effect/vitest"
import { slipOf } from "../../../core/kernel/operation/spelling.js"

describe("a slip of typing", () => {
  it.each([
    ["Type", "type"],
    ["TYPE", "type"],
    ["statusin", "statusIn"],
    ["user_id", "userId"],
    ["full-name", "fullName"],
    ["_type", "type"],
    ["ID", "_id"],
    ["statuss", "status"],
    ["emaul", "email"],
    ["phome", "phone"],
    ["citu", "city"],
    ["typr", "type"],
    ["stayus", "status"],
    ["titke", "title"],
    ["user", "users"],
    ["interest", "interests"],
    ["typ", "type"],
    ["tpye", "type"],
    ["tyype", "type"],
    ["titel", "title"],
    ["titlle", "title"],
    ["amout", "amount"],
    ["stauts", "status"],
    ["curency", "currency"],
    ["startAt", "startsAt"],
    ["colour", "color"],
    ["statusesIn", "statusIn"],
    ["descripton", "description"],
    ["desciptoin", "description"],
    ["discription", "description"]
  ])("%s is %s", (name, known) => {
    expect(slipOf(name, ["other", known])).toBe(` (did you mean "${known}"?)`)
  })

  it.each([
    ["date", "data"],
    ["state", "status"],
    ["stats", "status"],
    ["tile", "title"],
    ["palace", "place"],
    ["uses", "users"],
    ["filed", "files"],
    ["code", "mode"],
    ["rmail", "email"],
    ["dats", "date"],
    ["id", "_id"],
    ["type", "_type"],
    ["types", "type"],
    ["statuses", "status"],
    ["emails", "email"],
    ["title2", "title"],
    ["Phone2", "phone"],
    ["line2", "line1"],
    ["version12", "version1"],
    ["users", "userId"],
    ["user", "userId"],
    ["userName", "userId"],
    ["mail", "email"],
    ["test", "text"],
    ["node", "note"],
    ["tape", "type"],
    ["sport", "sort"],
    ["short", "sort"],
    ["typed", "type"],
    ["named", "name"],
    ["rules", "roles"],
    ["states", "status"],
    ["minPrice", "maxPrice"],
    ["createdBy", "createdAt"],
    ["acceptedAt", "accepted"],
    ["interestsIn", "interests"],
    ["interested", "interests"],
    ["uid", "id"],
    ["is", "id"],
    ["to", "from"],
    ["fullTime", "fullName"],
    ["translatedAt", "translations"]
  ])("%s is not %s", (name, known) => {
    expect(slipOf(name, [known])).toBe("")
  })
})
