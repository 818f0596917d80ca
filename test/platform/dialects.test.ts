/** All calls on a platform that speaks another dialect, once its value is told: with the results of the sandbox as it is. */
import * as Sandbox from "@quartet/sandbox"
import { randomDialect } from "@quartet/sandbox/extend"
import * as Platform from "@quartet/sdk/platform"
import { effectFace, promiseFace, standingSandbox } from "@quartet/support/platform-faces.js"
import { type Face, normalised, trace } from "@quartet/support/platform-walk.js"
import { definitionOf } from "@quartet/support/platforms.js"
import { describe, expect, test } from "vitest"

const faces = { Promises: promiseFace, Effects: effectFace }

/** What a dialect tells of lists and refusals. */
const toldBy = ({ errors, lists, paging }: Sandbox.Dialect) => ({
  totals: lists !== "bare" || paging === "link",
  fields: errors !== "text"
})

/** The results of the walk in a dialect, as far as it tells them; those of `like` are told as if they were in that dialect. */
const walked = async (
  dialect: Sandbox.Dialect,
  faceOf: (typeof faces)[keyof typeof faces],
  like = dialect
): Promise<Readonly<Record<string, unknown>>> => {
  const sandbox = await standingSandbox({ dialect })
  const platform = Platform.make(definitionOf(dialect))
  const face: Face = await faceOf({ ...sandbox.options.public, platform })
  try {
    return normalised(await trace(face), (id) => sandbox.platform.wire.idOf(id) ?? id, toldBy(like))
  } finally {
    await face.close()
  }
}

const standard = Sandbox.dialectOf("standard")

describe.each(Object.entries(faces))("with %s", (_, faceOf) => {
  test.each(Sandbox.dialectNames.filter((name) => name !== "standard"))(
    "a platform that speaks %s answers all calls as the sandbox does",
    async (name) => {
      const dialect = Sandbox.dialectOf(name)
      expect(await walked(dialect, faceOf)).toEqual(await walked(standard, faceOf, dialect))
    }
  )
})
