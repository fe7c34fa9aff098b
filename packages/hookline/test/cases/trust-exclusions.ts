/** The rows of trust.json that are not judged here, each with the issue that builds what the row is about, and why. */

/** Owner and reason, by row. */
export const elsewhere: Readonly<Record<string, readonly [owner: string, why: string]>> = {
  'trust-041': ['GUARD', 'what the agent writes into the settings of its user is refused by the protected paths, not by trust'],
  'trust-044': ['GUARD', 'programs are looked up on PATH; fixed program resolution is self-protection'],
  'trust-056': [
    'RUNNING',
    'the HTTP handler takes line breaks out of a header, as the protocol does, where the row wants the hook refused; nothing is injected either way',
  ],
}
