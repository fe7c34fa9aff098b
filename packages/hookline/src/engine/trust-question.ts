/** Asks the host's function for trust; whatever is no yes is a no. */
import type { AskTrust, TrustAnswer, TrustRequest } from '../protocol/ports.ts'

/** What came of asking. */
export interface Asked {
  readonly answer: TrustAnswer
  /** What was wrong with the question, for the host. */
  readonly problem?: string
}

/** Asks once. Never rejects. `closing` ends the wait as a no. */
export async function askOnce(ask: AskTrust, request: TrustRequest, closing: AbortSignal | undefined): Promise<Asked> {
  const abort = new AbortController()
  const end = () => abort.abort(closing?.reason)
  if (closing?.aborted) return { answer: 'no' }
  closing?.addEventListener('abort', end, { once: true })
  try {
    const ended = new Promise<'no'>((settle) => abort.signal.addEventListener('abort', () => settle('no'), { once: true }))
    const said: unknown = await Promise.race([ask(request, { signal: abort.signal }), ended])
    if (said === 'once' || said === 'always' || said === 'no') return { answer: said }
    return {
      answer: 'no',
      problem: `The function for trust answered ${said === undefined ? 'nothing' : JSON.stringify(said)}; that counts as "no". It must answer "once", "always" or "no".`,
    }
  } catch (error) {
    return { answer: 'no', problem: `The function for trust failed: ${error instanceof Error ? error.message : String(error)} That counts as "no".` }
  } finally {
    closing?.removeEventListener('abort', end)
  }
}
