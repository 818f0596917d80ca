/** The placeholder in the built page, which the server replaces with a new nonce for each answer. */
export const noncePlaceholder = "quartet-nonce-placeholder"
