/** What the calls are, for tools: their fields, their words, and programs that make them. */
export { aboutOf, assumedMark, isAssumedInput } from "./about.js"
export { credentials } from "./credentials.js"
export { type Described, describe, described, type Risk, riskOf } from "./described.js"
export { errorsOf, type Failure } from "./errors.js"
export {
  type AnswerField,
  answerFields,
  type BodyField,
  bodyFields,
  bodyModel,
  bodyOf,
  bodyRule,
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
export { groupText } from "./groups.js"
export { passed, takesRaw } from "./raw.js"
export { type Called, type Sent, samplesOf } from "./samples.js"
export { type ShownField, type ShownFields, shownFields } from "./shown.js"
export { summaries } from "./summaries.js"
