/** The generated documents: the specification's trace, the table of calls, the OpenAPI documents, and the manifests of the examples. */
import { posix } from "node:path"
import * as OpenApi from "@quartet/cli/openapi"
import { read } from "@quartet/support/files.js"
import type { Audience } from "../../core/kernel/operation/operation.js"
import { calls } from "../pages/calls.js"
import { page as specification } from "../specification/page.js"
import { textNames } from "../specification/texts.js"
import { page as callTable } from "./call-table.js"
import { folders } from "./clients.js"
import * as Examples from "./examples.js"
import { print } from "./json.js"
import * as Outcomes from "./outcomes.js"
import type { Files } from "./written.js"

/** The samples of the calls' pages. */
const samples = new Map(calls.map(({ key, samples }) => [key, samples]))

const description =
  "The samples run as they stand against a fresh `npx @quartet/cli sandbox`, with its own accounts: put your address and yours in their place."

const documents = Object.entries(folders).map(([audience, folder]) => {
  const document = OpenApi.make(audience as Audience, {
    version: JSON.parse(read("package.json")).version,
    description,
    baseUrl: "https://api.example.com",
    legacyUrl: "https://legacy.example.com",
    samples: (operationId) => samples.get(operationId) ?? []
  })
  return [`docs/openapi/${posix.basename(folder)}.json`, `${print(document)}\n`] as const
})

/** The page about answers, with the names of the fields that are declared as text. */
const answers = read("docs/answers.md").replace(
  /(?<=<!-- text fields -->)[^<]*(?=<!-- \/text fields -->)/,
  textNames.map((name) => `\`${name}\``).join(", ")
)

export const files: Files = new Map([
  ["docs/answers.md", answers],
  ["docs/specification.md", specification()],
  ["docs/calls.md", callTable()],
  ...Outcomes.files,
  ...documents,
  ...Examples.files
])
