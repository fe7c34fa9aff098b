/** The version that transcripts carry. */
export const transcriptVersion = '0.1.0'
