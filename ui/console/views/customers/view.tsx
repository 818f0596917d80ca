/** To be replaced by its builder. */
const Customers = () => <h1>Customers</h1>

export default Customers
