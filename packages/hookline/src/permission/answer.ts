/** The three answers a rule can give about a call; each caller chooses what "cannot tell" means (design decision 11). */

/** Whether a rule covers a call. */
export type Covers = 'yes' | 'no' | 'cannot-tell'

/** An answer with its reason in words. */
export interface Look {
  readonly answer: Covers
  readonly why: string
}

/** The rule covers the call. */
export const yes = (why: string): Look => ({ answer: 'yes', why })
/** The rule does not cover the call. */
export const no = (why: string): Look => ({ answer: 'no', why })
/** The call cannot be read well enough to say. */
export const cannotTell = (why: string): Look => ({ answer: 'cannot-tell', why })

/** The answer of several looks of which one is enough: yes before cannot-tell before no. */
export function anyOf(looks: readonly Look[], otherwise: Look): Look {
  return looks.find((l) => l.answer === 'yes') ?? looks.find((l) => l.answer === 'cannot-tell') ?? looks[0] ?? otherwise
}
