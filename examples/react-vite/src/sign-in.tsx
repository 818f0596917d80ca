import { useSession } from "@quartet/react"
import type { FormEvent } from "react"
import { session } from "./quartet"

export const SignIn = () => {
  const state = useSession(session)
  if (state.status === "signed-in")
    return (
      <button type="button" onClick={state.signOut}>
        Sign out
      </button>
    )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    state.signIn({ email: String(form.get("email")), password: String(form.get("password")) })
  }
  return (
    <form onSubmit={submit}>
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit" disabled={state.status === "signing-in"}>
        Sign in
      </button>
      {state.status === "signed-out" && state.error !== undefined && (
        <p role="alert">{state.error.message}</p>
      )}
    </form>
  )
}
