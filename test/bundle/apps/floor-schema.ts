/** The floor of an app on Effect that decodes an answer: the same, with one schema. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

class Answer extends Context.Tag("Answer")<Answer, { readonly json: unknown }>() {}

const Boxes = Schema.Array(Schema.Struct({ _id: Schema.String }))
const decoded = Effect.flatMap(Answer, ({ json }) => Schema.decodeUnknown(Boxes)(json))
Effect.runPromise(Effect.provide(decoded, Layer.succeed(Answer, { json: [] }))).then(console.log)
