/** To be replaced by its builder. */
const Catalogue = () => <h1>Catalogue</h1>

export default Catalogue
