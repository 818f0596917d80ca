/** Gives a role another level on a resource: removes permissions that no longer apply, and adds the one that does. */
import type { ReactElement } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import { useMutation } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import {
  type PermissionRow,
  permissions as permissionCalls,
  type RoleRow,
  roles as roleCalls
} from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { Form, useForm } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { Actions, Dialog } from "../../design/dialog.js"
import { Segmented } from "../../design/field.js"
import { words } from "../../design/show.js"
import { Note } from "../../design/state.js"
import { grantsOf, levelName, levels, steps } from "./effective.js"

export const roles = admin.query(roleCalls.list, { limit: 100 })
export const permissions = admin.query(permissionCalls.list, { limit: 500 })

const grant = admin.mutation(Admin.roles.addPermission)
const revoke = admin.mutation(Admin.roles.removePermission)

/** A cell of the matrix. */
export interface Target {
  readonly role: RoleRow
  readonly resource: string
}

const choices = levels.map(({ level, name }) => ({ value: String(level), label: name }))

export const ChangeLevel = (props: {
  readonly target: Target
  readonly all: ReadonlyArray<PermissionRow>
  readonly onClose: () => void
}): ReactElement => {
  const { all, onClose, target } = props
  const granted = new Set(target.role.permissions ?? [])
  const own = grantsOf(all.filter(({ _id, resource }) => granted.has(_id) && resource === target.resource))
  const present = own[target.resource]?.["*"] ?? 0
  const adding = useMutation(grant)
  const removing = useMutation(revoke)
  const name = target.role.name ?? "the role"
  const resource = target.resource === "*" ? "everything" : words(target.resource).toLowerCase()

  const form = useForm({ level: String(present) }, async ({ level }) => {
    const { add, remove } = steps(all, granted, target.resource, Number(level))
    for (const [{ mutate }, changed] of [
      [adding, add],
      [removing, remove]
    ] as const)
      for (const { _id } of changed) {
        const outcome = await mutate({ id: target.role._id, permissionId: _id })
        if (outcome.status === "error") return outcome
      }
    addToast("Permission changed", `${name}: ${levelName(Number(level))} on ${resource}`)
    onClose()
    return undefined
  })
  const { level } = form.values
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${name} on ${resource}`}
      description="A change counts from the next sign-in of those who hold the role."
    >
      <Form of={form} className="stack">
        <div>
          <Segmented label="Level" choices={choices} {...form.field("level")} />
        </div>
        {level === "0" && target.resource !== "*" && (
          <Note>Without a grant of its own, the wildcard of the role decides, where it has one.</Note>
        )}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" submit busy={form.busy} disabled={level === String(present)}>
            Save
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
