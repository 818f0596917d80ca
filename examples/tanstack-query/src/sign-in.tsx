import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { type Credentials, type Desk, openDesk, queryClient } from "./quartet"

/** The first list is the proof: where it comes, the credentials are good. */
const signIn = async (credentials: Credentials): Promise<Desk> => {
  const desk = openDesk(credentials)
  try {
    await queryClient.fetchInfiniteQuery(desk.pending)
    return desk
  } catch (error) {
    await desk.close()
    throw error
  }
}

export const SignIn = ({ onDesk }: { readonly onDesk: (desk: Desk) => void }) => {
  const { error, isPending, mutate } = useMutation({ mutationFn: signIn, onSuccess: onDesk })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    mutate({ email: String(form.get("email")), password: String(form.get("password")) })
  }
  return (
    <form onSubmit={submit}>
      <label>
        E-mail <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button type="submit" disabled={isPending}>
        Sign in
      </button>
      {error !== null && <p role="alert">{error.message}</p>}
    </form>
  )
}
