/** Gives a role another level on a resource: removes permissions that no longer apply, and adds the one that does. */
import type { ReactElement } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import { useMutation } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import * as Rows from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { Form, useForm } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { Actions, Dialog } from "../../design/dialog.js"
import { Segmented } from "../../design/field.js"
import { words } from "../../design/show.js"
import { Note } from "../../design/state.js"
import { type grantsOf, levelName, levels, steps } from "./effective.js"

export const roles = admin.query(Rows.roles.list, { limit: 100 })
export const permissions = admin.query(Rows.permissions.list, { limit: 500 })

const grant = admin.mutation(Admin.roles.addPermission)
const revoke = admin.mutation(Admin.roles.removePermission)

/** A cell of the matrix. */
export interface Target {
  readonly role: Rows.RoleRow
  readonly grants: ReturnType<typeof grantsOf>
  readonly resource: string
}

export const ChangeLevel = (
  props: Target & { readonly all: ReadonlyArray<Rows.PermissionRow>; readonly onClose: () => void }
): ReactElement => {
  const { all, grants, onClose, resource, role } = props
  const present = String(grants[resource]?.["*"] ?? 0)
  const adding = useMutation(grant)
  const removing = useMutation(revoke)
  const title = `${role.name ?? "The role"} on ${resource === "*" ? "everything" : words(resource).toLowerCase()}`
  const form = useForm({ level: present }, async ({ level }) => {
    const { add, remove } = steps(all, new Set(role.permissions), resource, Number(level))
    for (const permission of [...add, ...remove]) {
      const { mutate } = add.includes(permission) ? adding : removing
      const outcome = await mutate({ id: role._id, permissionId: permission._id })
      if (outcome.status === "error") return outcome
    }
    addToast("Permission changed", `${title}: ${levelName(Number(level))}`)
    onClose()
    return undefined
  })
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
        {level === "0" && resource !== "*" && (
          <Note>Without a grant of its own, the wildcard of the role decides, where it has one.</Note>
        )}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={form.busy} disabled={level === present}>
            Save
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
