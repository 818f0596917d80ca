/** Steps of unions. */
import * as AST from "effect/SchemaAST"
import { makeState, refuse, refuseFatally, type State, wrong } from "../state.js"
import {
  fallbackOf,
  isNull,
  isObject,
  isSaid,
  isStructured,
  mustBe,
  reads,
  sourceOf,
  takesAnything
} from "./nodes.js"
import { type Compile, copyOf, isAnswer, keep, type Mode, type Step } from "./step.js"

/** Whether a node makes something of null or undefined. */
const makesOfNothing = (node: AST.AST): boolean =>
  AST.isTransformation(node) && reads(node, (source) => takesAnything(source) || !isSaid(source))

export const union = (ast: AST.Union, mode: Mode, compile: Compile): Step => {
  const structured = ast.types.filter(isStructured)
  // Only objects and lists surely take no text, so others keep their turn.
  const isOrdered =
    structured[0] !== undefined &&
    !isObject(structured[0]) &&
    structured[0] !== ast.types.filter(isSaid).at(-1)
  if (structured.length > 1 || isOrdered || reads(ast, fallbackOf)) return choice(ast, mode, compile)
  const nothing = reads(ast, makesOfNothing) ? choice(ast, mode, compile) : keep
  const takesNull = ast.types.some(isNull)
  const takesUndefined = ast.types.some(AST.isUndefinedKeyword)
  const rest = ast.types.filter(isSaid)
  const scalars = rest.filter((type) => !isStructured(type)).map((type) => compile(type, mode))
  const object = structured[0] === undefined ? undefined : compile(structured[0], mode)
  const [only] = mode === "input" && rest.length === 1 ? [...scalars, object] : []
  const rule = mustBe(ast)
  return (value, state) => {
    if (value === null ? takesNull : value === undefined && takesUndefined) return nothing(value, state)
    // What may only be left out says itself what it must be.
    if (only !== undefined) return only(value, state)
    if (object !== undefined && typeof value === "object" && value !== null) return object(value, state)
    for (let index = 0; index < scalars.length; index++) {
      const result = scalars[index]?.(value, state)
      if (result !== wrong) return result
      state.path = ""
    }
    // An unknown-keyword member takes scalars too.
    const last = object === undefined ? wrong : object(value, state)
    return last === wrong ? refuse(state, rule) : last
  }
}

type Tag = readonly [name: PropertyKey, literals: ReadonlyArray<unknown>]

/** The values that a node lets through, if it is literals alone. Of one that is transformed, those that it reads. */
const literalsOf = (ast: AST.AST): ReadonlyArray<unknown> => {
  const members: ReadonlyArray<AST.AST> = AST.isUnion(ast) ? ast.types : [sourceOf(ast)]
  return members.every(AST.isLiteral) ? members.map(({ literal }) => literal) : []
}

/** The fields of a member of a union that take only certain values. */
const tagsOf = (member: AST.AST): ReadonlyArray<Tag> => {
  const ast = sourceOf(member)
  return AST.isTypeLiteral(ast)
    ? ast.propertySignatures
        .map(({ isOptional, name, type }): Tag => [name, isOptional ? [] : literalsOf(type)])
        .filter(([, { length }]) => length > 0)
    : []
}

const fits = (tags: ReadonlyArray<Tag>, value: unknown): boolean =>
  tags.every(
    ([name, literals]) => Object.hasOwn(Object(value), name) && literals.includes(Object(value)[name])
  )

/**
 * A union of several kinds of objects: of the members whose literals fit, those with a tag first, each is tried, on
 * copies if there are more.
 */
const choice = (ast: AST.Union, mode: Mode, compile: Compile): Step => {
  const all = () => {
    const members = ast.types.map((type) => {
      const tags = tagsOf(type)
      // Several literals are no tag to Schema, which tries such a member in its turn.
      return { tags, isTagged: tags.some(([, { length }]) => length === 1), step: compile(type, mode) }
    })
    return [...members.filter(({ isTagged }) => isTagged), ...members.filter(({ isTagged }) => !isTagged)]
  }
  let members: ReturnType<typeof all> | undefined
  const rule = mustBe(ast)
  return (value, state) => {
    members ??= all()
    const fitting = members.filter(({ tags }) => fits(tags, value))
    const tried = fitting.length === 0 ? members : fitting
    const [only] = tried
    if (only !== undefined && tried.length === 1) return only.step(value, state)
    let first: State | undefined
    let fatal = 0
    for (const { step } of tried) {
      const trial = makeState()
      trial.depth = state.depth
      trial.isCareful = state.isCareful
      const result = step(isAnswer(mode) ? copyOf(value) : value, trial)
      if (result !== wrong) {
        state.unsafe ||= trial.unsafe
        return result
      }
      if (trial.reason !== "Shape") return refuseFatally(state, trial.rule, trial.reason)
      if (trial.isFatal) fatal += 1
      first ??= trial
    }
    // Names in an answer's path may be data.
    state.path = state.isTolerant ? "" : (first?.path ?? "")
    state.isFatal = fatal === tried.length
    return refuse(state, state.path === "" ? rule : (first?.rule ?? rule))
  }
}
