/** A new project's tasks, documents, prices and figures. They are held locally: nothing is sent. */
export { makeDemo } from "../../core/onboarding/demo.js"
export { layer, make, type Service, State, UnknownId } from "../../core/onboarding/state.js"
