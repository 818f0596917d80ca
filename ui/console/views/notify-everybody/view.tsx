/** One notification to all customers, which asks with their number before anything is sent. */
import { useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import type { ReactElement } from "react"
import { admin } from "../../app/query-clients.js"
import { NotifyForm } from "../../customer/notify.js"
import { Card, PageHead } from "../../design/show.js"

const NotifyEverybody = (): ReactElement => {
  const session = useSession(admin.session)
  return (
    <div className="tools-page">
      <PageHead title="Notify everybody" about="One notification to all customers. It asks first." />
      {session.can(Admin.notifications.send) ? (
        <Card title="Notification">
          <NotifyForm to="everybody" />
        </Card>
      ) : (
        <p className="quiet">
          Your role does not let you notify customers. Someone who manages roles can change that.
        </p>
      )}
    </div>
  )
}

export default NotifyEverybody
