/** Gives a role another level on a resource: removes permissions that no longer apply, and adds the one that does. */

import { useMutation } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import type { ReactElement } from "react"
import { admin } from "../../app/query-clients.js"
import * as Rows from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { Form, useForm } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { Actions, Dialog } from "../../design/dialog.js"
import { Segmented } from "../../design/field.js"
import { words } from "../../design/show.js"
import { Note } from "../../design/state.js"
import { grantsOfRole, levelName, levels, steps } from "./effective.js"

export const roles = admin.query(Rows.roles.list, { limit: 100 })
export const permissions = admin.query(Rows.permissions.list, { limit: 500 })

const grant = admin.mutation(Admin.roles.addPermission)
const revoke = admin.mutation(Admin.roles.removePermission)
/** Reads a role once more, now, and refreshes what shows it. */
const reread = admin.mutation(Rows.roles.get)

/** A cell of the matrix. */
export interface Target {
  readonly role: Rows.RoleRow
  readonly resource: string
}

export const ChangeLevel = (
  props: Target & { readonly all: ReadonlyArray<Rows.PermissionRow>; readonly onClose: () => void }
): ReactElement => {
  const { all, onClose, resource, role } = props
  const adding = useMutation(grant)
  const removing = useMutation(revoke)
  const reading = useMutation(reread)
  const title = `${role.name ?? "The role"} on ${resource === "*" ? "everything" : words(resource).toLowerCase()}`
  const textsOf = (currentRole: Rows.RoleRow) => ({
    level: levelName(grantsOfRole(all, currentRole)[resource]?.["*"])
  })
  const begun = textsOf(role)
  const save = async ({ level }: typeof begun, _: unknown, { permissions }: Rows.RoleRow = role) => {
    const { add, remove } = steps(all, new Set(permissions), resource, level)
    const completed: Array<string> = []
    for (const permission of [...add, ...remove]) {
      const [{ mutate }, verb] = add.includes(permission) ? [adding, "added"] : [removing, "removed"]
      const outcome = await mutate({ id: role._id, permissionId: permission._id })
      if (outcome.status === "error") {
        if (completed.length > 0) addToast("Changed in part", `${title}: ${completed.join(", ")}`)
        return outcome
      }
      completed.push(`${levelName(permission.level)} ${verb}`)
    }
    addToast("Permission changed", `${title}: ${level}`)
    return { status: "success" }
  }
  const read = () => reading.mutate({ id: role._id })
  const form = useForm(begun, save, onClose, undefined, { read, textsOf, labelOf: () => "Level" })
  const { level } = form.values
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description="A change counts from the next sign-in of those who hold the role."
    >
      <Form of={form} className="stack">
        <Segmented label="Level" choices={levels} {...form.field("level")} />
        {level === "None" && resource !== "*" && (
          <Note>Without a grant of its own, the wildcard of the role decides, where it has one.</Note>
        )}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={form.busy} disabled={level === begun.level}>
            Save
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
