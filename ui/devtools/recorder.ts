/** What is kept of the mutations and the chats of a registry, from when devtools are mounted. */

import { answerText, errorText, Texts } from "@quartet/sdk/extend"
import { type InspectedChat, type InspectedRun, inspections } from "../rx/inspection.js"
import { type Registry, service } from "../rx/registry.js"
import { type Known, secretsIn } from "./secrets.js"

/** A run of a mutation or an upload, as text: nothing that the app may let go is held. */
export interface Run {
  readonly id: number
  readonly name: string
  readonly input: string
  /** The input in one line. */
  readonly line: string
  /** When it began, in milliseconds since 1970. */
  readonly at: number
  readonly status: "pending" | InspectedRun["status"]
  /** Milliseconds until its end; undefined until then. */
  readonly duration: number | undefined
  /** What it came to. */
  readonly text: string
}

/** A state of a chat's connection, and since when. */
export interface Step {
  readonly id: number
  readonly at: number
  readonly status: string
  readonly about: string
}

/** Most runs, and most steps of one chat, that are kept. */
const most = 100

const latest = <A>(all: ReadonlyArray<A>, next: A): ReadonlyArray<A> => [next, ...all].slice(0, most)

const textOf = (run: InspectedRun, texts: Texts): string => {
  switch (run.status) {
    case "success":
      return texts.answer(run.data)
    case "error":
    case "unknown":
      return texts.error(run.error)
    case "defect":
      return texts.error(run.defect)
    default:
      return ""
  }
}

/** Whether a run has not come to rest. */
const isUnderWay = ({ status }: Pick<Run, "status">): boolean => status === "pending" || status === "queued"

type Connection = ReturnType<InspectedChat["store"]["getState"]>["connection"]

const aboutOf = (connection: Connection, known: Known): string => {
  if (connection.status === "failed") return errorText(connection.error, known())
  if (connection.status !== "reconnecting") return ""
  return `attempt ${connection.attempt}: ${answerText(connection.trouble, known())}`
}

export class Recorder {
  /** The latest first. */
  runs: ReadonlyArray<Run> = []
  private readonly steps = new Map<InspectedChat, ReadonlyArray<Step>>()
  private count = 0

  constructor(registry: Registry) {
    const inspection = registry.get(inspections)
    this.known = registry.get(secretsIn)
    this.chats = inspection.chats
    inspection.onChat = (chat) => void this.stepsOf(chat)
    inspection.onRun = (name, input) => this.begin(name, input)
    for (const chat of this.chats) this.stepsOf(chat)
  }

  readonly chats: ReadonlySet<InspectedChat>
  private readonly known: Known

  private begin(name: string, input: unknown): (run: InspectedRun) => void {
    this.count += 1
    const at = Date.now()
    const texts = new Texts(input, this.known)
    const began: Run = {
      id: this.count,
      name,
      input: texts.input,
      line: texts.line,
      at,
      status: "pending",
      duration: undefined,
      text: ""
    }
    this.runs = latest(this.runs, began)
    return (now) => {
      const duration = isUnderWay(now) ? undefined : Date.now() - at
      const stands = { ...began, status: now.status, text: textOf(now, texts), duration }
      this.runs = this.runs.map((run) => (run.id === began.id ? stands : run))
    }
  }

  /** The states of a chat's connection, the present one first. */
  stepsOf(chat: InspectedChat): ReadonlyArray<Step> {
    const steps = this.steps.get(chat) ?? []
    const { connection } = chat.store.getState()
    const about = aboutOf(connection, this.known)
    if (steps[0]?.status === connection.status && steps[0].about === about) return steps
    this.count += 1
    const all = latest(steps, { id: this.count, at: Date.now(), status: connection.status, about })
    this.steps.set(chat, all)
    return all
  }

  clearRuns(): void {
    this.runs = this.runs.filter(isUnderWay)
  }
}

/** The recorder of each registry. It listens until the registry is reset. */
export const recorders = /*#__PURE__*/ service((registry) => new Recorder(registry))
