/** Rows as a CSV file: what a spreadsheet reads back, and what it must not run. */
import { expect, test } from "vitest"
import { csvOf } from "../app/save.js"

test("values are written as RFC 4180 says, dates as ISO 8601, and nothing for what is missing", () => {
  expect(csvOf([["a,b", 'say "no"', "two\nlines", 1.5, true, new Date(0), null, undefined]])).toBe(
    '"a,b","say ""no""","two\nlines",1.5,true,1970-01-01T00:00:00.000Z,,\r\n'
  )
})

test("a text that a spreadsheet would run as a formula stays a text; a negative number stays a number", () => {
  expect(csvOf([["=1+1", "+1", "-1", "@x", -1]])).toBe("'=1+1,'+1,'-1,'@x,-1\r\n")
})
