// One call through stripe's client: what it weighs.
import Stripe from "stripe"

new Stripe("key-1").customers.list({ limit: 10 }).then(console.log)
