/** Who is signed in, or the form: rendered for each request, from its cookie. */
import { Errors } from "@quartet/sdk/promise"
import { endUser } from "../../lib/quartet"
import { signOut } from "./actions"
import { SignIn } from "./sign-in"

/** Whoever is signed in, and whose session has not ended. A CredentialsError: the cookie holds no session at all. */
const self = async () => {
  try {
    return await (await endUser())?.auth.self()
  } catch (error) {
    if (error instanceof Errors.Unauthenticated || error instanceof Errors.CredentialsError) return undefined
    throw error
  }
}

export default async function Page() {
  const me = await self()
  return (
    <main>
      <h1>Your account</h1>
      {me === undefined ? (
        <SignIn />
      ) : (
        <form action={signOut}>
          <p>Signed in as {me.email}</p>
          <button type="submit">Sign out</button>
        </form>
      )}
    </main>
  )
}
