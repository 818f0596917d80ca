/** To be replaced by its builder. */
const Orders = () => <h1>Orders</h1>

export default Orders
