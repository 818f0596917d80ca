/** The word that the build leaves in the page and that the server replaces by a fresh nonce for each answer. */
export const noncePlaceholder = "quartet-nonce-placeholder"
