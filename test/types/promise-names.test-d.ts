// The Promise clients take their names from the Effect clients: each bound call is there, and nothing that is none.
import type * as Admin from "../../clients/admin/index.js"
import type * as EndUser from "../../clients/end-user/index.js"
import type * as Private from "../../clients/private/index.js"
import type {
  AdminClient,
  EndUserClient,
  PrivateClient,
  PromiseDownload,
  PublicClient
} from "../../clients/promise/index.js"
import type * as Public from "../../clients/public/index.js"
import type { Operation } from "../../core/kernel/operation/operation.js"

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const holds: <_Claim extends true>() => void

/** `slice.call` for each member of a client that is bound to an operation. */
type ImportedCall<Client> = {
  [S in keyof Client & string]: {
    [C in keyof Client[S] & string]: Client[S][C] extends {
      readonly operation: Operation<never, unknown, never>
    }
      ? `${S}.${C}`
      : never
  }[keyof Client[S] & string]
}[keyof Client & string]

/** `slice.call` for each method of a Promise client that is a call: it can be narrowed, or it is a download. */
type Called<Client> = {
  [S in keyof Client & string]: {
    [C in keyof Client[S] & string]: Client[S][C] extends { readonly as: unknown } | PromiseDownload<never>
      ? `${S}.${C}`
      : never
  }[keyof Client[S] & string]
}[keyof Client & string]

holds<Equal<Called<AdminClient>, ImportedCall<typeof Admin>>>()
holds<Equal<Called<PublicClient>, ImportedCall<typeof Public>>>()
holds<Equal<Called<PrivateClient>, ImportedCall<typeof Private>>>()
holds<Equal<Called<EndUserClient>, ImportedCall<typeof EndUser>>>()

// @ts-expect-error the names of one client are not those of another
holds<Equal<Called<AdminClient>, ImportedCall<typeof EndUser>>>()
