/** The rows of trust.json that are not judged here, each with the issue that builds what the row is about, and why. */

/** Owner and reason, by row. */
export const elsewhere: Readonly<Record<string, readonly [owner: string, why: string]>> = {}
