/** How a promise tells what it found. */

/** Counts tries and keeps the first failures. */
export class Tally {
  tries = 0
  failures = 0
  examples = []

  /** One try; `problem` is text when it failed. */
  add(problem) {
    this.tries += 1
    if (problem !== undefined) this.fail(problem)
  }

  fail(problem) {
    this.failures += 1
    if (this.examples.length < 5) this.examples.push(String(problem).slice(0, 2_000))
  }

  /** The finding: `figure` in plain words. */
  done(figure) {
    return { tries: this.tries, failures: this.failures, figure, examples: this.examples }
  }
}

/** A promise that cannot be tried here. It never counts as passed. */
export const notRun = (why) => ({ notRun: why })

export const count = (number) => number.toLocaleString('en')
