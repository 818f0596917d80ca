/**
 * Compiles a schema into one closure that checks a value, several times faster than Schema's own parser and without
 * `eval`. The schema stays the definition: its transformations, filters and declarations are called as they are.
 */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { AssumedId, AtLeastId, CountedId, ValidateId } from "../../operation/answer.js"
import type { Validate } from "../../operation/validation.js"
import * as Dates from "../dates.js"
import { at, look, refuse, revive, type State, wrong } from "../state.js"
import {
  isStricter,
  options,
  refuseAt,
  settled,
  sizeOf,
  stricter,
  transformed,
  withFallback
} from "./foreign.js"
import { isStructured, mustBe, reads } from "./nodes.js"
import { assumed, copyOf, isAnswer, keep, lazily, type Mode, onlyIf, type Step } from "./step.js"
import { list, struct } from "./structures.js"
import { union } from "./unions.js"

const compiled: Readonly<Record<Mode, WeakMap<AST.AST, Step>>> = {
  answer: new WeakMap(),
  assumed: new WeakMap(),
  input: new WeakMap(),
  value: new WeakMap()
}

/** Compiles a node, once: the nodes of a recursive schema come again at every level of a value. */
export const compile = (ast: AST.AST, mode: Mode): Step => {
  const known = compiled[mode].get(ast)
  if (known !== undefined) return known
  const assumption = mode === "answer" ? ast.annotations[AssumedId] : undefined
  const node = isStricter(ast)
    ? stricter
    : assumption !== undefined
      ? // What is declared of an entity is so, too, where the answer as a whole is assumed.
        assumed(compileNode(ast, assumption === "whole" ? mode : "assumed"))
      : withFallback(ast, compileNode(ast, mode))
  // Only `Entity` sets it.
  const validate = mode === "input" ? (ast.annotations[ValidateId] as Validate | undefined) : undefined
  const checkBy = (value: unknown, state: State, other?: AST.AST): unknown =>
    (other === undefined ? node : compile(other, mode))(value, state)
  const step: Step =
    validate === undefined ? node : (value, state) => validate(value, state, checkBy, refuseField)
  compiled[mode].set(ast, step)
  return step
}

const refuseField = (state: State, rule: string, field?: string): typeof wrong => {
  refuse(state, rule)
  return field === undefined ? wrong : at(state, field)
}

const compileNode = (ast: AST.AST, mode: Mode): Step => {
  switch (ast._tag) {
    case "StringKeyword":
      return mode === "assumed" ? textOrDate(ast) : onlyIf(ast, (value) => typeof value === "string")
    case "NumberKeyword":
      return onlyIf(ast, (value) => typeof value === "number")
    case "BooleanKeyword":
      return onlyIf(ast, (value) => typeof value === "boolean")
    case "Literal":
      return onlyIf(ast, (value) => value === ast.literal)
    case "UndefinedKeyword":
      return onlyIf(ast, (value) => value === undefined)
    case "UnknownKeyword":
    case "AnyKeyword":
    case "VoidKeyword":
      return isAnswer(mode) ? revive : keep
    case "TypeLiteral":
      return struct(ast, mode, compile)
    case "TupleType":
      return list(ast, mode, compile)
    case "Union":
      return reads(ast, AST.isSuspend) ? lazily(() => union(ast, mode, compile)) : union(ast, mode, compile)
    case "Refinement": {
      const from = compile(ast.from, mode)
      const rule = mustBe(ast)
      const least = ast.annotations[AtLeastId]
      const isCopied = isAnswer(mode) && isStructured(ast.from)
      const isCounted = mode === "input" && ast.annotations[CountedId] === true
      return (value, state) => {
        if (isCounted && Number.isSafeInteger(value)) return value
        const inner = from(isCopied && state.isTolerant ? copyOf(value) : value, state)
        // An assumed text in the form of a date-time is a Date by now.
        if (inner === wrong || (mode === "assumed" && inner instanceof Date)) return inner
        if (typeof least === "number") return sizeOf(inner) >= least ? inner : refuse(state, rule)
        const issue = ast.filter(inner, options, ast)
        return Option.isNone(issue) ? inner : refuseAt(state, rule, issue.value)
      }
    }
    case "Suspend":
      return lazily(() => compile(ast.f(), mode))
    case "Transformation": {
      if (isAnswer(mode) && Dates.isDateTime(ast)) {
        const rule = mustBe(ast)
        return (value, state) =>
          value instanceof Date
            ? value
            : ((typeof value === "string" ? Dates.parse(value) : undefined) ?? refuse(state, rule))
      }
      return transformed(ast, mode, compile)
    }
    case "Declaration": {
      const rule = mustBe(ast)
      const parse = ast.decodeUnknown(...ast.typeParameters)
      return (value, state) =>
        settled(parse(typeof value === "number" ? look(value, state) : value, options, ast), rule, state)
    }
    case "NeverKeyword":
      return onlyIf(ast, () => false)
    case "BigIntKeyword":
      return onlyIf(ast, (value) => typeof value === "bigint")
    case "SymbolKeyword":
      return onlyIf(ast, (value) => typeof value === "symbol")
    case "UniqueSymbol":
      return onlyIf(ast, (value) => value === ast.symbol)
    case "Enums":
      return onlyIf(ast, (value) => ast.enums.some(([, known]) => known === value))
    case "ObjectKeyword": {
      const isObject = onlyIf(ast, (value) => Object(value) === value)
      return isAnswer(mode)
        ? (value, state) => (isObject(value, state) === wrong ? wrong : revive(value, state))
        : isObject
    }
    case "TemplateLiteral": {
      const regex = AST.getTemplateLiteralRegExp(ast)
      return onlyIf(ast, (value) => typeof value === "string" && regex.test(value))
    }
  }
}

/** A text that is assumed counts as undeclared: one in the form of a date-time becomes a Date. */
const textOrDate = (ast: AST.AST): Step => {
  const isText = onlyIf(ast, (value) => typeof value === "string" || value instanceof Date)
  return (value, state) => (isText(value, state) === wrong ? wrong : revive(value, state))
}
