/** The rows of reports.json that are not judged here, each by the issue or the decision that owns it; a row that passes all the same is fine. */
import type { Row } from './report-row.ts'

/** By row: an issue, or the number of the decision that says otherwise. */
const owners: Readonly<Record<string, string>> = {
  'bug-permission-request-01': 'decision 5',
}

/** Who owns a row; `undefined` when it is judged here. */
export function ownerOf(row: Row): string | undefined {
  return owners[row.id]
}
