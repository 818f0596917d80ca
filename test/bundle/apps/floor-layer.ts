/** The floor of an app on Effect: a service, a layer that provides it, and a program that is run. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

class Greeting extends Context.Tag("Greeting")<Greeting, { readonly text: string }>() {}

const greeted = Effect.map(Greeting, ({ text }) => text)
Effect.runPromise(Effect.provide(greeted, Layer.succeed(Greeting, { text: "hello" }))).then(console.log)
