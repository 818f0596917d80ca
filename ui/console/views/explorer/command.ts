/** A call as a command for a shell: what the client would send, with names in place of secrets. */
import * as Either from "effect/Either"
import * as Encoder from "../../../../core/kernel/codec/encoder.js"
import type { Audience } from "../../../../core/kernel/operation/operation.js"
import { baseUrl, projectId } from "../../app/config.js"
import { type Called, curlOf } from "../../wire/code.js"

const headers: Readonly<Record<Audience, Readonly<Record<string, string>>>> = {
  admin: { authorization: "Bearer ••••••", "x-session-id": "••••••" },
  endUser: { "x-session-id": "••••••", "x-api-key": "••••••" },
  public: { "x-api-key": "••••••" },
  private: { "x-private-key": "••••••" }
}

/** The command that sends what the client would; undefined while the input is not complete. */
export const commandOf = ({ audience, declared, input }: Called): string | undefined => {
  const projectInQuery = audience === "admin" && declared.credentials !== "none" && declared.host !== "legacy"
  const sent = Either.getOrUndefined(Encoder.make(declared, { prefix: "", projectId, projectInQuery })(input))
  if (sent === undefined) return undefined
  const isJson = sent.body?._tag === "Json"
  const parts = sent.body?._tag === "Form" ? sent.body.parts : []
  return curlOf({
    method: declared.method,
    origin: baseUrl,
    path: sent.path,
    headers: {
      ...(declared.credentials === "none" ? {} : headers[audience]),
      ...(isJson ? { "content-type": "application/json" } : {})
    },
    body: isJson
      ? sent.body.text
      : parts
          .map((part) => `${part.name}: ${"text" in part ? part.text : `${part.fileName} (0 bytes)`}`)
          .join("\n")
  })
}
