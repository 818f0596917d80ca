"use server"
import { Errors } from "@quartet/sdk/promise"
import { cookies } from "next/headers"
import { redirect } from "next/navigation"
import { visitor } from "../../lib/quartet"

/** Why a sign-in was refused, and the e-mail to begin with again. */
export interface Refusal {
  readonly reason: string
  readonly email: string
}

/** Signs in: exchanges the password for a session, which a cookie keeps that no script can read. Answers why not. */
export const signIn = async (_before: Refusal | undefined, form: FormData): Promise<Refusal | undefined> => {
  const email = String(form.get("email"))
  try {
    const { sessionId } = await visitor.auth.login({ email, password: String(form.get("password")) })
    if (sessionId === undefined || sessionId === null)
      return { reason: "This account cannot sign in here.", email }
    const attributes = {
      httpOnly: true,
      secure: true,
      sameSite: "lax",
      path: "/",
      maxAge: 8 * 60 * 60
    } as const
    ;(await cookies()).set("session", String(sessionId), attributes)
  } catch (error) {
    // An InputError: a field is empty. Anything can call an action, not only its form.
    if (error instanceof Errors.Unauthenticated || error instanceof Errors.InputError)
      return { reason: "The e-mail or the password is wrong.", email }
    throw error
  }
  // Without JavaScript, a reload would send the password again.
  redirect("/account")
}

export const signOut = async (): Promise<void> => {
  ;(await cookies()).delete("session")
}
