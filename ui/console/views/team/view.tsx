/** To be replaced by its builder. */
const Team = () => <h1>Team</h1>

export default Team
