/** All calls on a platform that speaks another dialect, once its value is told: with the results of the sandbox as it is. */
import { isDeepStrictEqual } from "node:util"
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

type Results = Readonly<Record<string, unknown>>

/** A platform whose sessions are cookies answers no session of the legacy service, without which that call is useless. */
const isUseless = ({ signIn }: Sandbox.Dialect, step: string): boolean =>
  signIn === "cookie" && step === "admin.auth.legacyLogin"

/** The steps whose results differ from those of the sandbox as it is. */
const differencesOf = async (dialect: Sandbox.Dialect, faceOf: (typeof faces)[keyof typeof faces]) => {
  const own: Results = await walked(dialect, faceOf)
  const usual: Results = await walked(standard, faceOf, dialect)
  expect(Object.keys(own)).toEqual(Object.keys(usual))
  return Object.keys(usual).flatMap((step) =>
    isDeepStrictEqual(own[step], usual[step]) || isUseless(dialect, step)
      ? []
      : [{ step, own: own[step], usual: usual[step] }]
  )
}

const standard = Sandbox.dialectOf("standard")

describe.each(Object.entries(faces))("with %s", (_, faceOf) => {
  test.each(Sandbox.dialectNames.filter((name) => name !== "standard"))(
    "a platform that speaks %s answers all calls as the sandbox does",
    async (name) => expect(await differencesOf(Sandbox.dialectOf(name), faceOf)).toEqual([])
  )
})

describe("a platform that makes each choice by chance", () => {
  const first = Number(process.env.SEED ?? "20240229")
  const seeds = Array.from({ length: 12 }, (_, index) => first + index)

  test.each(seeds)("answers all calls as the sandbox does, with seed %i", async (seed) => {
    const dialect = randomDialect(seed)
    expect({ dialect, differences: await differencesOf(dialect, faces.Promises) }).toEqual({
      dialect,
      differences: []
    })
  })
})
