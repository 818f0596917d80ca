"use server"
import { Errors } from "@quartet/sdk/promise"
import { cookies } from "next/headers"
import { visitor } from "../../lib/quartet"

/** Signs in: exchanges the password for a session, which a cookie keeps that no script can read. Answers why not. */
export const signIn = async (_before: string | undefined, form: FormData): Promise<string | undefined> => {
  try {
    const { sessionId } = await visitor.auth.login({
      email: String(form.get("email")),
      password: String(form.get("password"))
    })
    if (typeof sessionId !== "string") return "This account cannot sign in here."
    const attributes = {
      httpOnly: true,
      secure: true,
      sameSite: "lax",
      path: "/",
      maxAge: 8 * 60 * 60
    } as const
    ;(await cookies()).set("session", sessionId, attributes)
    return undefined
  } catch (error) {
    // An InputError: a field is empty. Anything can call an action, not only its form.
    if (error instanceof Errors.Unauthenticated || error instanceof Errors.InputError)
      return "The e-mail or the password is wrong."
    throw error
  }
}

export const signOut = async (): Promise<void> => {
  ;(await cookies()).delete("session")
}
