// Bodies that hold the caller's own data: values of types that have no further names, and of those that have.
import * as Admin from "../../clients/admin/index.js"

interface Flat {
  readonly name: string
  readonly floor: number
}
declare const flat: Flat
declare const values: Readonly<Record<string, unknown>>

Admin.entities.create({ kind: "flat", payload: flat })
Admin.entities.update({ kind: "flat", id: "f1", payload: values })
Admin.content.create({ id: "m1", payload: flat })
Admin.content.update({ id: "e1", payload: { ...values, translations: { ka: { title: "ბინა", floor: 3 } } } })
Admin.preferences.set({ key: "flat", payload: flat })
// @ts-expect-error nothing is kept under it
Admin.preferences.set({ key: "flat", payload: undefined })
// @ts-expect-error it holds fields
Admin.entities.create({ kind: "flat", payload: "a flat" })
