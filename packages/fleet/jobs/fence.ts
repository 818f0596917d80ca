/** What keeps a request of an item from being sent when it must not be: a transport knows it by its idempotency key. */
import { type AnyRequest, doneBy, type Outcome, type TransportService as Service } from "@quartet/sdk/extend"
import type { Lease } from "./lease.js"
import { outOfService } from "./verdict.js"

/** Of one attempt at an item. */
export class Fence {
  /** Whether an answer to it was lost. The client would send the same once more; here `onUnknown` is asked first. */
  private isLost = false
  /** Whether the latest answer says that the platform is out of service. */
  isOutage = false
  private waiting = 0
  /** Whether the platform has answered that it did what was asked. */
  isDone = false

  constructor(
    private readonly lease: Pick<Lease, "isValid">,
    /** Whether the platform may be asked anything. */
    private readonly isOpen: () => boolean = () => true,
    /** Called when an answer says that the platform is out of service: before the client has repeated anything. */
    private readonly onOutage: () => void = () => undefined
  ) {}

  /** Whether a further request may not be sent: somebody else may be working on the item, or it may be done. */
  isShut(): boolean {
    return this.isLost || !this.lease.isValid() || !this.isOpen()
  }

  /** Whether something was sent that nobody knows the answer to: it was lost, or is no longer waited for. */
  get isUnanswered(): boolean {
    return this.isLost || this.waiting > 0
  }

  send(): void {
    this.waiting += 1
  }

  hear(outcome: Outcome): void {
    this.waiting -= 1
    const status = "status" in outcome ? outcome.status : undefined
    // Of what was cut off before its end the platform has received no whole request.
    const done = status === undefined ? undefined : doneBy(status)
    this.isOutage = status === outOfService
    if (this.isOutage) this.onOutage()
    this.isLost ||= done === "perhaps" || (outcome._tag === "Failed" && outcome.sent)
    this.isDone ||= done === "yes"
  }
}

/** The fences of what is under way, by idempotency key. */
export type Fences = Map<string, Fence>

const fenceOf = (fences: Fences, { headers }: AnyRequest): Fence | undefined =>
  fences.get(headers["idempotency-key"] ?? "")

/** Whether a request may not be sent. */
export const isShut =
  (fences: Fences) =>
  (request: AnyRequest): boolean =>
    fenceOf(fences, request)?.isShut() === true

/** A transport whose answers the fences hear. */
export const heard = (fences: Fences, port: Service): Service => {
  const hearing =
    <R extends AnyRequest>(
      start: (request: R, settle: (outcome: Outcome) => void) => ReturnType<Service["start"]>
    ) =>
    (request: R, settle: (outcome: Outcome) => void) => {
      const fence = fenceOf(fences, request)
      fence?.send()
      return start(request, (outcome) => {
        fence?.hear(outcome)
        settle(outcome)
      })
    }
  return {
    start: hearing((request, settle) => port.start(request, settle)),
    ...(port.stream === undefined ? {} : { stream: hearing(port.stream.bind(port)) })
  }
}
