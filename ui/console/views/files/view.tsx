/** To be replaced by its builder. */
const Files = () => <h1>Files</h1>

export default Files
