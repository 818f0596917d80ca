/** What the calls are, for tools: their fields, their words, and programs that make them. */
export { aboutOf } from "./about.js"
export { credentials } from "./credentials.js"
export { type Described, describe, described, type Risk, riskOf } from "./described.js"
export { errorsOf, type Failure } from "./errors.js"
export {
  type AnswerField,
  answerFields,
  bodyOf,
  declaredIn,
  type Field,
  fieldsOf,
  isFile,
  kindOf,
  meant,
  modelOf,
  ruleOf,
  withoutUndefined as given,
  wordsOf
} from "./fields.js"
export { passed, takesRaw } from "./raw.js"
export { type Called, type Sent, samplesOf } from "./samples.js"
export { summaries } from "./summaries.js"
