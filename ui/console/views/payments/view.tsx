/** To be replaced by its builder. */
const Payments = () => <h1>Payments</h1>

export default Payments
