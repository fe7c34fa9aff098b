/** Every exit code there is, in one place. */

/** 2 means "refused" and nothing else, since this command is itself used as a hook. 3 is about an audit log that cannot be read. */
export const exits = { goOn: 0, findings: 1, refused: 2, unreadable: 3, usage: 64, internal: 70, interrupted: 130 } as const
export type Exit = (typeof exits)[keyof typeof exits]
