"use client"
import { useActionState } from "react"
import { signIn } from "./actions"

export const SignIn = () => {
  const [refusal, submit, isPending] = useActionState(signIn, undefined)
  return (
    <form action={submit}>
      <label>
        E-mail{" "}
        <input name="email" type="email" autoComplete="username" required defaultValue={refusal?.email} />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit" disabled={isPending}>
        Sign in
      </button>
      {refusal !== undefined && <p role="alert">{refusal.reason}</p>}
    </form>
  )
}
