/** Shorthands for the commonest answers; they only build plain objects. */

/** Lets the call go on without asking; rules still hold. */
export const allow = (reason?: string) => ({ permission: 'allow' as const, ...(reason === undefined ? {} : { reason }) })
/** Refuses the call; the reason goes where the event's row says. */
export const deny = (reason: string) => ({ permission: 'deny' as const, reason })
/** Has a person asked. */
export const ask = (reason?: string) => ({ permission: 'ask' as const, ...(reason === undefined ? {} : { reason }) })
/** Leaves the call to be decided later, outside this run. */
export const defer = () => ({ permission: 'defer' as const })
/** The announced step does not happen. */
export const block = (reason: string) => ({ block: reason })
/** The turn ends after this step. */
export const stop = (reason: string) => ({ stop: reason })
/** Text for the model. */
export const context = (text: string) => ({ context: text })
